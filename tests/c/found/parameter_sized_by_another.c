//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory sc -DTWO
//@ expect: error code=L0104 message="an array of variable length"
//@ run: verify --memory sc -DUNKNOWN
//@ expect: error code=L0102 message="`m` is not declared"
// The outermost array of a parameter is a pointer, and its size may name earlier parameters.
#include <assert.h>

static int sum(int n, int a[n]);

#ifdef TWO
static int table(int n, int a[n][n])
{
    return a[0][0];
}
#endif

#ifdef UNKNOWN
static int bad(int n, int a[m])
{
    return a[n];
}
#endif

static int sum(int n, int a[2 * n + 1])
{
    int r = 0;
    for (int i = 0; i < n; i++)
        r += a[i];
    return r;
}

int main(void)
{
    int a[3] = { 1, 2, 3 };
    assert(sum(3, a) == 6);
    return 0;
}
