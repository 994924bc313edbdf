//@ run: verify --memory sc
//@ expect: error line=7
// * wants a pointer.
int main(void)
{
    int x = 1;
    return *x;
}
