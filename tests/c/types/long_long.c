//@ run: verify --memory sc
//@ expect: holds
// 64-bit arithmetic: products, shifts, remainders and comparisons beyond 32 bits.
#include <assert.h>
#include <stdint.h>

static uint64_t mix(uint64_t h, uint64_t v)
{
    h ^= v;
    h *= 0x100000001b3ull;
    h ^= h >> 29;
    return h;
}

int main(void)
{
    uint64_t a = 0xffffffffull, b = a * a;
    assert(b == 0xfffffffe00000001ull);
    assert(b / 0xffff == 281479271612415ull && b % 0xffff == 0);
    assert(b % 1000000007ull == 992409480);
    assert((1ull << 40) == 1099511627776ull && (1ull << 63) >> 63 == 1);
    int64_t n = -5000000000ll;
    assert(n / 3 == -1666666666 && n % 3 == -2 && n >> 1 == -2500000000ll);
    assert((uint64_t)n == 18446744068709551616ull);
    assert(n < -4294967296ll && (int)n == -705032704);
    uint64_t h = 14695981039346656037ull;
    for (int i = 0; i < 8; i++)
        h = mix(h, (uint64_t)i);
    uint64_t back = h;
    for (int i = 0; i < 64; i++)
        back = (back >> 1) | (back << 63);
    assert(back == h);
    return 0;
}
