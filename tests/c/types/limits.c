//@ run: verify --memory sc
//@ expect: holds
// limits.h and stdint.h agree with the types.
#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stddef.h>

int main(void)
{
    assert(CHAR_BIT == 8 && SCHAR_MIN == -128 && SCHAR_MAX == 127 && UCHAR_MAX == 255);
    assert(CHAR_MIN == -128 && CHAR_MAX == 127);
    assert(SHRT_MIN == -32768 && SHRT_MAX == 32767 && USHRT_MAX == 65535);
    assert(INT_MIN == -2147483647 - 1 && INT_MAX == 2147483647 && UINT_MAX == 4294967295u);
    assert(LONG_MAX == 9223372036854775807L && LONG_MIN == -LONG_MAX - 1);
    assert(ULONG_MAX == 18446744073709551615ul && LLONG_MAX == LONG_MAX && ULLONG_MAX == ULONG_MAX);
    assert(INT8_MAX == 127 && INT16_MIN == -32768 && UINT16_MAX == 65535);
    assert(INT32_MAX == INT_MAX && UINT32_MAX == UINT_MAX);
    assert(INT64_MAX == LONG_MAX && UINT64_MAX == ULONG_MAX && SIZE_MAX == ULONG_MAX);
    assert(INTPTR_MAX == LONG_MAX && UINTPTR_MAX == ULONG_MAX);
    assert(sizeof(int8_t) == 1 && sizeof(int16_t) == 2 && sizeof(int32_t) == 4 && sizeof(int64_t) == 8);
    assert(sizeof(uintptr_t) == 8 && sizeof(size_t) == 8 && sizeof(ptrdiff_t) == 8);
    assert(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8);
    assert(sizeof(long long) == 8 && sizeof(void *) == 8 && sizeof(_Bool) == 1);
    assert((size_t)-1 > 0 && (ptrdiff_t)-1 < 0);
    assert(UINT64_C(1) << 63 == 0x8000000000000000u && INT64_C(-1) < 0);
    return 0;
}
