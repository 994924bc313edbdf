//@ run: verify --memory sc
//@ expect: holds
// Quotient truncates toward zero; (a/b)*b + a%b == a.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int v[] = { -100, -7, -1, 0, 1, 6, 7, 100, INT_MAX, INT_MIN + 1 };
    int d[] = { -9, -2, -1, 1, 2, 3, 10 };
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        for (unsigned j = 0; j < sizeof d / sizeof *d; j++) {
            int q = v[i] / d[j], r = v[i] % d[j];
            assert(q * d[j] + r == v[i]);
            assert(r == 0 || (r < 0) == (v[i] < 0));
            assert((r < 0 ? -r : r) < (d[j] < 0 ? -d[j] : d[j]));
        }
    assert(UINT_MAX / 2 == INT_MAX && UINT_MAX % 10 == 5);
    assert(INT_MIN / 2 == -1073741824 && INT_MIN % 10 == -8);
    assert(LONG_MIN / 10 == -922337203685477580L);
    assert((unsigned long)-1 / 3 == 6148914691236517205ul);
    assert((char)-100 / (char)7 == -14);
    return 0;
}
