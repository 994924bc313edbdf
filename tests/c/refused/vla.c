//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=6
// An array whose length is only known at run time.
static int f(int n)
{
    int a[n];
    a[0] = n;
    return a[0];
}

int main(void)
{
    return f(3) - 3;
}
