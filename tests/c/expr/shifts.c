//@ run: verify --memory sc
//@ expect: holds
// Shifts: logical on unsigned, arithmetic on signed, the type is that of the left operand.
#include <assert.h>

int main(void)
{
    unsigned u = 0x80000001u;
    int n = -16;
    unsigned char c = 0x81;
    long one = 1;

    assert(u >> 1 == 0x40000000u && u << 1 == 2u && u >> 31 == 1);
    assert(n >> 2 == -4 && n >> 31 == -1);
    assert(c << 8 == 0x8100 && c >> 7 == 1);
    assert(one << 33 == 8589934592L);
    assert(sizeof(c << 1l) == 4 && sizeof(one << 1) == 8);
    assert(1u << 31 == 2147483648u && 0 << 31 == 0);
    u = 0xf0;
    u >>= 4;
    assert(u == 15);
    u <<= 28ull;
    assert(u == 0xf0000000u);
    c <<= 1;
    assert(c == 2);
    for (int k = 0; k < 32; k++)
        assert((1u << k) >> k == 1u);
    unsigned r = 0x12345678u;
    r = (r << 8) | (r >> 24);
    assert(r == 0x34567812u);
    return 0;
}
