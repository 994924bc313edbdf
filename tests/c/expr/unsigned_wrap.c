//@ run: verify --memory sc
//@ expect: holds
// Unsigned arithmetic wraps and is no error.
#include <assert.h>
#include <stdint.h>

int main(void)
{
    uint32_t u = UINT32_MAX;
    assert(u + 1 == 0 && u * u == 1 && u + u == u - 1);
    uint64_t w = UINT64_MAX;
    assert(w + 1 == 0 && w * 2 == w - 1 && -w == 1);
    uint16_t h = 65535;
    h += 2;
    assert(h == 1);
    h = 50000;
    h = (uint16_t)((uint32_t)h * h);
    assert(h == 63744);
    uint8_t b = 0;
    b--;
    assert(b == 255);
    uint32_t head = 2, tail = UINT32_MAX;         /* distances survive the wrap */
    assert(head - tail == 3 && (int32_t)(tail - head) == -3);
    uint32_t crc = 0xffffffffu;
    for (int i = 0; i < 8; i++)
        crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    assert((crc ^ 0xffffffffu) == 0xd202ef8du);
    return 0;
}
