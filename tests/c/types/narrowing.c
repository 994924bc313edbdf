//@ run: verify --memory sc
//@ expect: holds
// Conversions to narrower and wider types.
#include <assert.h>
#include <stdint.h>

int main(void)
{
    uint64_t big = 0x1122334455667788ull;

    assert((uint32_t)big == 0x55667788u);
    assert((uint16_t)big == 0x7788);
    assert((uint8_t)big == 0x88);
    assert((int8_t)big == -120);
    assert((int16_t)0x8000 == -32768);
    assert((int32_t)0xffffffffu == -1);
    assert((int64_t)0xffffffffu == 4294967295ll);
    assert((uint64_t)(int32_t)-5 == 0xfffffffffffffffbull);
    assert((uint64_t)(uint32_t)-5 == 0xfffffffbull);
    assert((uint16_t)(int8_t)-1 == 0xffff);
    assert((int)(char)200 == -56);       /* char is signed here */
    assert((unsigned)(signed char)-2 == 4294967294u);

    int16_t s = (int16_t)40000;
    assert(s == -25536);
    uint8_t k = 250;
    k += 10;
    assert(k == 4);
    k--; k--; k--; k--; k--;
    assert(k == 255);
    int8_t m = 127;
    m++;                                 /* 128 converted back: no overflow */
    assert(m == -128);
    long v = -1;
    unsigned char byte = v;
    assert(byte == 255);
    return 0;
}
