//@ run: verify --memory sc
//@ expect: holds
// Unions: members share bytes; reading another member reinterprets them.
#include <assert.h>
#include <stdint.h>

union word { uint32_t u; int32_t i; uint16_t h[2]; uint8_t b[4]; struct { uint8_t lo; uint8_t rest[3]; } s; };
union any { int tag; struct { int tag; int n; } num; struct { int tag; char c; } chr; };

static union word make(uint32_t u) { union word w = { .u = u }; return w; }

int main(void)
{
    union word w = { 0x01020304u };
    assert(sizeof w == 4);
    assert(w.b[0] == 4 && w.b[3] == 1 && w.h[1] == 0x0102 && w.s.rest[0] == 3);
    w.b[3] = 0xff;
    assert(w.i < 0 && w.u == 0xff020304u && w.h[1] == 0xff02);
    w.h[0] = 0;
    assert(w.u == 0xff020000u && w.s.lo == 0);
    w.i = -1;
    assert(w.b[2] == 255);
    assert(make(7).b[0] == 7);
    union any a = { .num = { 1, 42 } };
    assert(a.tag == 1 && a.num.n == 42);          /* common initial sequence */
    a.chr.tag = 2;
    a.chr.c = 'x';
    assert(a.tag == 2 && a.num.tag == 2);
    union any b = a;
    assert(b.chr.c == 'x');
    union { void *p; uintptr_t u; } pu;
    pu.p = &w;
    assert(pu.u == (uintptr_t)&w);
    return 0;
}
