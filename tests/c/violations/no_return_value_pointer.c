//@ run: verify
//@ expect: violated witness.kind=no-value
// The same through a function pointer, and by a bare return.
static int maybe(int x)
{
    if (x)
        return 3;
    return;
}

int main(void)
{
    int (*f)(int) = maybe;
    f(0);
    return f(1) - 3 + f(0);
}
