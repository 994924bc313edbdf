//@ run: verify --memory sc
//@ expect: holds
// Pointer arithmetic: scaling, differences, comparisons, one past the end, indexing both ways.
#include <assert.h>
#include <stddef.h>

struct p { short x; int y; };

int main(void)
{
    int a[5] = { 0, 1, 2, 3, 4 };
    int *p = a + 1, *q = &a[4];
    assert(q - p == 3 && p - q == -3);
    assert(*(p + 2) == 3 && p[2] == 3 && 2[p] == 3 && p[-1] == 0);
    assert(p < q && q >= p && p != q && a == &a[0] && &a[5] > q);
    p += 3;
    assert(p == q && *p == 4);
    p -= 4;
    assert(p == a);
    assert((char *)(p + 1) - (char *)p == sizeof(int));
    ptrdiff_t d = &a[5] - a;
    assert(d == 5);
    struct p s[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    struct p *sp = s + 2;
    assert(sp->y == 6 && (--sp)->x == 3 && sp - s == 1);
    int *yp = &s[0].y;
    assert(*(int *)((char *)yp + sizeof(struct p)) == 4);
    int m[3][4];
    assert(&m[2][0] - &m[0][0] == 8 && &m[2] - &m[0] == 2 && m + 1 == &m[1]);
    int sum = 0;
    for (const int *it = a, *end = a + 5; it != end; ++it)
        sum += *it;
    assert(sum == 10);
    void *v = a;
    assert((int *)v + 1 == a + 1 && v + 4 == (void *)&a[1]);   /* GNU: void steps by one */
    return 0;
}
