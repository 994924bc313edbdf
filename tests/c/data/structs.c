//@ run: verify --memory sc
//@ expect: holds
// Structs: assignment copies, nesting, arrays inside, passing and returning by value.
#include <assert.h>

struct vec { int x, y; };
struct box { struct vec lo, hi; int tags[3]; };

static struct vec add(struct vec a, struct vec b) { a.x += b.x; a.y += b.y; return a; }
static struct box grow(struct box b, int by)
{
    b.lo.x -= by; b.lo.y -= by; b.hi.x += by; b.hi.y += by;
    b.tags[2]++;
    return b;
}

int main(void)
{
    struct vec a = { 1, 2 }, b = { 10, 20 }, c;
    c = add(a, b);
    assert(c.x == 11 && c.y == 22 && a.x == 1);
    assert(add(add(a, a), a).y == 6);
    struct box p = { { 0, 0 }, { 1, 1 }, { 7, 8, 9 } }, q = grow(p, 2);
    assert(q.lo.x == -2 && q.hi.y == 3 && q.tags[2] == 10 && p.tags[2] == 9);
    p = q;
    q.tags[0] = 0;
    assert(p.tags[0] == 7 && p.lo.x == -2);
    assert(grow(p, 1).tags[1] == 8);
    struct box *r = &p;
    r->hi = a;
    (*r).lo = (struct vec){ 5, 6 };
    assert(p.hi.y == 2 && p.lo.x == 5);
    struct vec *inner = &r->hi;
    inner->x = 77;
    assert(p.hi.x == 77);
    struct { struct box bs[2]; } w = { { p, q } };
    w.bs[1].lo = w.bs[0].hi;
    assert(w.bs[1].lo.x == 77);
    a = 1 ? b : c;
    assert(a.x == 10);
    return 0;
}
