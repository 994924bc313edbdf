//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory sc -D TOUCH
//@ expect: unknown limit.kind=method limit.at.line=23
// A packed struct may have parts that are not scalars, as long as nobody looks into them.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct __attribute__((packed)) header {
    uint8_t kind;
    union { uint64_t whole; uint32_t half[2]; } u;
    uint16_t length;
};

static struct header h = { 1, { 7 }, 2 };

int main(void)
{
    assert(sizeof h == 11 && offsetof(struct header, length) == 9);
    assert(h.kind == 1 && h.length == 2);
#ifdef TOUCH
    return (int)h.u.whole;
#endif
    return 0;
}
