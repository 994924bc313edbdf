//@ run: verify --memory sc
//@ expect: holds
// Statements that are never reached, empty statements, labels before declarations' blocks.
#include <assert.h>

static int early(int x)
{
    if (x)
        return 1;
    else
        return 2;
    x = 100;
    return x;
}

static void nothing(void) {}
static int unused_fn(int n) { return n ? unused_fn(n - 1) : 0; }

int main(void)
{
    ;;;
    {}
    if (0) { assert(0); }
    if (1) ; else assert(0);
    while (0)
        assert(0);
    nothing();
    assert(early(3) == 1 && early(0) == 2 && unused_fn(3) == 0);
    goto end;
    assert(0);
end:
    __builtin_expect(1, 1);
    if (__builtin_expect(!!0, 0))
        __builtin_unreachable();
    return 0;
}
