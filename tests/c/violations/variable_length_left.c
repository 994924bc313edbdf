//@ run: verify --memory sc
//@ expect: violated witness.kind=out-of-bounds witness.at.line=7
// One element too many.
static int f(int n)
{
    int a[n];
    for (int i = 0; i <= n; i++) a[i] = i;
    return a[0];
}

int main(void) { return f(3); }
