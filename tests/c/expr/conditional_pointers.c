//@ run: verify --memory sc
//@ expect: holds
// Pointers in conditions, comparisons and conditional expressions.
#include <assert.h>
#include <stddef.h>

static int x, y;
static int *pick(int c) { return c ? &x : NULL; }

int main(void)
{
    int *p = 1 ? &x : 0, *q = NULL;
    assert(p && !q && p != q && !(p == NULL));
    assert((p ? 1 : 2) == 1 && (q ? 1 : 2) == 2);
    assert((p && q) == 0 && (p || q) == 1 && !!p == 1);
    *(x ? &x : &y) = 5;
    assert(y == 5 && x == 0);
    *pick(1) = 3;
    assert(x == 3 && pick(0) == NULL);
    void *v = p;
    assert(v == p && (char *)v == (char *)&x && (v == NULL) == 0);
    const int *cp = 0 ? p : (const int *)&y;
    assert(*cp == 5);
    for (int *r = p; r; r = r == p ? &y : NULL)
        *r += 10;
    assert(x == 13 && y == 15);
    if (q)
        assert(0);
    while (!p)
        assert(0);
    return 0;
}
