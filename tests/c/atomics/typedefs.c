//@ run: verify --memory sc
//@ expect: holds
// The atomic_* typedefs: sizes and wrap-around of each.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define WRAPS(type, plain) do { \
    type v_ = 0; \
    atomic_fetch_sub(&v_, 1); \
    assert(v_ == (plain)-1 && sizeof v_ == sizeof(plain)); \
    atomic_fetch_add(&v_, 2); \
    assert(v_ == 1); } while (0)

int main(void)
{
    WRAPS(atomic_char, char); WRAPS(atomic_schar, signed char); WRAPS(atomic_uchar, unsigned char);
    WRAPS(atomic_short, short); WRAPS(atomic_ushort, unsigned short);
    WRAPS(atomic_int, int); WRAPS(atomic_uint, unsigned);
    WRAPS(atomic_long, long); WRAPS(atomic_ulong, unsigned long);
    WRAPS(atomic_llong, long long); WRAPS(atomic_ullong, unsigned long long);
    WRAPS(atomic_size_t, size_t); WRAPS(atomic_ptrdiff_t, ptrdiff_t);
    WRAPS(atomic_intptr_t, intptr_t); WRAPS(atomic_uintptr_t, uintptr_t);
    WRAPS(atomic_intmax_t, intmax_t); WRAPS(atomic_uintmax_t, uintmax_t);
    WRAPS(atomic_int_least8_t, int_least8_t); WRAPS(atomic_uint_fast16_t, uint_fast16_t);
    atomic_bool b = 5;
    assert(b == 1 && sizeof b == 1);
    assert(atomic_exchange(&b, 0) == 1 && !b);
    b |= 2;
    assert(b == 1);
    return 0;
}
