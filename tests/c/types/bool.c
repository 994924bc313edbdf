//@ run: verify --memory sc
//@ expect: holds
// _Bool holds 0 or 1, whatever is stored.
#include <assert.h>
#include <stdbool.h>

static bool is_even(int n) { return !(n & 1); }
static _Bool any(unsigned bits) { return bits; }

int main(void)
{
    _Bool b = 42;
    int x = 3;

    assert(b == 1);
    b = -1;
    assert(b == true);
    b = 256;                  /* not truncated to 0 */
    assert(b);
    b = &x;
    assert(b == 1);
    b = (void *)0;
    assert(b == false);
    b++;
    assert(b == 1);
    b++;
    assert(b == 1);
    b--;
    assert(b == 0);
    b--;                      /* 0 - 1 = -1, which is true */
    assert(b == 1);
    b += 7;
    assert(b == 1);
    b &= 2;
    assert(b == 0);
    b |= 4;
    assert(b == 1);
    b ^= 1;
    assert(b == 0);
    assert((bool)0x100 == 1 && (bool)0 == 0);
    assert(is_even(4) && !is_even(5));
    assert(any(0x80000000u) == 1);
    assert(sizeof(bool) == 1 && sizeof(b + b) == sizeof(int));
    struct { bool f : 1; bool g; } s = { .f = 2, .g = 'x' };
    assert(s.f == 1 && s.g == 1);
    return 0;
}
