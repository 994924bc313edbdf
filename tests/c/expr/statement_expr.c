//@ run: verify --memory sc
//@ expect: holds
// GNU statement expressions: value of the last statement, declarations, control flow inside.
#include <assert.h>

#define max(a, b) ({ __typeof__(a) x_ = (a), y_ = (b); x_ > y_ ? x_ : y_; })

static int lookup(int k)
{
    int v = ({ if (k < 0) return -1; k * 2; });   /* leaves the function */
    return v + 1;
}

int main(void)
{
    int i = 2;
    assert(max(i++, 1) == 2 && i == 3);
    int s = ({ int t = 0; for (int k = 1; k <= 4; k++) t += k; t; });
    assert(s == 10);
    assert(({ 1; 2; 3; }) == 3);
    assert(max(max(1, 5), max(4, 2)) == 5);
    ({ i = 9; });
    assert(i == 9);
    assert(lookup(-5) == -1 && lookup(5) == 11);
    int n = 0;
    for (int k = 0; k < 5; k++)
        n += ({ if (k == 3) continue; k; });
    assert(n == 7);
    struct { int a, b; } p = ({ __typeof__(p) q = { 1, 2 }; q.a = 5; q; });
    assert(p.a == 5 && p.b == 2);
    ({ goto out; });
    n = 100;
out:
    assert(n == 7);
    return 0;
}
