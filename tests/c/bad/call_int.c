//@ run: verify --memory sc
//@ expect: error line=7
// Calling an int.
int main(void)
{
    int x = 1;
    return x();
}
