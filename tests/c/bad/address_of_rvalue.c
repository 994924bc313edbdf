//@ run: verify --memory sc
//@ expect: error line=6
// & wants an lvalue.
int main(void)
{
    int *p = &(1 + 2);
    return *p;
}
