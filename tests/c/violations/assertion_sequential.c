//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
// No threads needed.
#include <assert.h>

static int largest(const int *a, int n)
{
    int m = 0;                     /* wrong for negative numbers */
    for (int i = 0; i < n; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}

int main(void)
{
    int a[] = { -3, -1, -2 };
    assert(largest(a, 3) == -1);
    return 0;
}
