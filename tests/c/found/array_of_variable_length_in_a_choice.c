//@ run: verify --memory sc
//@ expect: holds
// Where only the type of an expression is wanted, nothing in it is allocated.
#include <assert.h>

static int f(int n)
{
    return n > 1 ? ({ int a[n]; a[0] = n; int *p = a; *p; }) : (int)sizeof(({ int b[n]; b[0] = 1; b[0]; }));
}

int main(void)
{
    assert(f(3) == 3 && f(1) == 4);
    return 0;
}
