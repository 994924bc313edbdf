//@ run: verify --memory sc
//@ expect: holds
// Bit tricks: masks, parity, reversal, lowest set bit, population count.
#include <assert.h>
#include <stdint.h>

static int popcount(uint32_t x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static uint8_t reverse(uint8_t b)
{
    b = (b & 0xf0) >> 4 | (b & 0x0f) << 4;
    b = (b & 0xcc) >> 2 | (b & 0x33) << 2;
    b = (b & 0xaa) >> 1 | (b & 0x55) << 1;
    return b;
}

int main(void)
{
    assert(popcount(0) == 0 && popcount(0xffffffffu) == 32 && popcount(0x80000001u) == 2);
    assert(reverse(0x01) == 0x80 && reverse(0xb4) == 0x2d);
    uint32_t x = 0x00f0;
    assert((x & -x) == 0x10);
    assert((x ^ x >> 1) == 0x88);
    assert((~x & 0xff) == 0x0f && (x | 0x0f) == 0xff && (x & ~x) == 0);
    assert((5 ^ -1) == ~5 && ~0 == -1 && ~0u == 4294967295u);
    int a = 5, b = 9;
    a ^= b; b ^= a; a ^= b;
    assert(a == 9 && b == 5);
    assert((1 | 2 ^ 3 & 4) == 3);            /* & over ^ over | */
    assert((6 & 3 == 3) == 0);               /* == over & */
    assert(__builtin_popcount(0xff00) == 8 && __builtin_ctz(8) == 3 && __builtin_clz(1) == 31);
    assert(__builtin_ffs(0) == 0 && __builtin_ffs(12) == 3 && __builtin_ctzll(1ull << 40) == 40);
    assert(__builtin_parity(7) == 1 && __builtin_popcountll(~0ull) == 64 && __builtin_clzl(1ul) == 63);
    assert(__builtin_bswap32(0x11223344) == 0x44332211 && __builtin_bswap16(0x1122) == 0x2211);
    return 0;
}
