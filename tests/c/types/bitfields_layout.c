//@ run: verify --memory sc
//@ expect: holds
// Bit-field layout: zero width, straddling, mixed types, plain members between, unions.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct zero { unsigned a : 3; unsigned : 0; unsigned b : 3; };
struct pad { unsigned a : 3; unsigned : 7; unsigned b : 3; };
struct straddle { unsigned a : 20; unsigned b : 20; };
struct mixed { uint8_t a : 4; uint16_t b : 9; uint8_t c; uint32_t d : 31; };
struct between { char a; int b : 4; char c; int d : 28; };
struct longs { uint64_t lo : 48; uint64_t hi : 16; };
struct tiny { uint8_t a : 1, b : 2, c : 5; };
union view { struct { unsigned lo : 8, mid : 16, hi : 8; }; unsigned all; unsigned char bytes[4]; };

int main(void)
{
    assert(sizeof(struct zero) == 8 && sizeof(struct pad) == 4 && sizeof(struct straddle) == 8);
    assert(sizeof(struct longs) == 8 && sizeof(struct tiny) == 1);
    assert(sizeof(struct mixed) == 8 && offsetof(struct mixed, c) == 2);
    assert(sizeof(struct between) == 8 && offsetof(struct between, c) == 2);

    union view v;
    v.all = 0x12345678u;
    assert(v.lo == 0x78 && v.mid == 0x3456 && v.hi == 0x12);
    v.mid = 0xffff;
    assert(v.all == 0x12ffff78u && v.bytes[0] == 0x78 && v.bytes[2] == 0xff);

    struct longs p = { .lo = 0x0000123456789abcull, .hi = 7 };
    p.hi += 0xffff;
    assert(p.hi == 6 && p.lo == 0x123456789abcull);
    struct zero z = { 7, 5 };
    assert(((unsigned *)&z)[0] % 8 == 7 && ((unsigned *)&z)[1] % 8 == 5);
    struct tiny t = { 1, 2, 17 };
    assert(*(uint8_t *)&t == (1 | 2 << 1 | 17 << 3));
    return 0;
}
