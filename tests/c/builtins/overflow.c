//@ run: verify --memory sc
//@ expect: holds
// __builtin_*_overflow, __builtin_constant_p, __builtin_choose_expr, __builtin_types_compatible_p.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int r;
    unsigned u;
    unsigned char c;
    assert(!__builtin_add_overflow(3, 4, &r) && r == 7);
    assert(__builtin_add_overflow(INT_MAX, 1, &r) && r == INT_MIN);
    assert(__builtin_sub_overflow(0u, 1u, &u) && u == UINT_MAX);
    assert(__builtin_mul_overflow(100000, 100000, &r) && r == 1410065408);
    assert(!__builtin_mul_overflow(-4, 5, &r) && r == -20);
    assert(__builtin_add_overflow(200, 100, &c) && c == 44);
    assert(__builtin_choose_expr(1, 5, "no") == 5);
    assert(__builtin_types_compatible_p(int, signed) && !__builtin_types_compatible_p(int, long));
    assert(__builtin_constant_p(3));
    return 0;
}
