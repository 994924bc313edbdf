//@ run: verify --memory sc
//@ expect: holds
// A 128-bit addition by hand on two 64-bit halves.
#include <assert.h>
#include <stdint.h>

struct wide { uint64_t lo, hi; };

static struct wide add(struct wide a, struct wide b)
{
    struct wide r;
    r.lo = a.lo + b.lo;
    r.hi = a.hi + b.hi + (r.lo < a.lo);
    return r;
}

int main(void)
{
    struct wide one = { 1, 0 }, max = { UINT64_MAX, 0 };
    struct wide s = add(max, one);
    assert(s.lo == 0 && s.hi == 1);
    s = add(s, max);
    assert(s.lo == UINT64_MAX && s.hi == 1);
    s = add(s, s);
    assert(s.lo == UINT64_MAX - 1 && s.hi == 3);
    return 0;
}
