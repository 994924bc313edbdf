//@ run: verify --memory sc
//@ expect: holds
// Unsigned bit-fields: truncation on store, packing, promotion to int.
#include <assert.h>
#include <string.h>

struct flags {
    unsigned ready : 1;
    unsigned kind : 3;
    unsigned count : 12;
    unsigned rest : 16;
};

int main(void)
{
    struct flags f = { 1, 5, 4095, 0xbeef };
    assert(sizeof f == 4);
    assert(f.ready == 1 && f.kind == 5 && f.count == 4095 && f.rest == 0xbeef);
    f.kind += 4;                        /* 9 modulo 8 */
    assert(f.kind == 1);
    f.count++;
    assert(f.count == 0);
    f.ready = 2;
    assert(f.ready == 0);
    assert(f.rest == 0xbeef);           /* the neighbours did not change */
    f.kind = ~0u;
    assert(f.kind == 7);
    assert(f.kind - 8 < 0);             /* narrower than int: promoted to int */
    assert(f.rest - 0xbef0 == -1);
    f.kind <<= 1;
    assert(f.kind == 6);
    f.count = 10;
    f.count -= 11;
    assert(f.count == 4095);
    f.count = f.kind = 3;
    assert(f.count == 3 && f.kind == 3);
    assert((f.kind = 12) == 4);         /* the value of an assignment is the value stored */
    assert(f.kind-- == 4 && --f.kind == 2);

    unsigned word;
    struct flags g = { .ready = 1, .rest = 1 };
    memcpy(&word, &g, sizeof word);
    assert(word == 0x00010001u);        /* lowest bits first */
    return 0;
}
