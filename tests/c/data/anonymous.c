//@ run: verify --memory sc
//@ expect: holds
// Anonymous structs and unions, nested several deep.
#include <assert.h>
#include <stddef.h>

struct value {
    enum { NUM, PAIR } kind;
    union {
        long num;
        struct { int a, b; };
        struct { short lo; union { short hi; unsigned short uhi; }; };
    };
    int last;
};

int main(void)
{
    struct value v = { .kind = PAIR, .a = 1, .b = 2, .last = 9 };
    assert(sizeof v == 24 && offsetof(struct value, b) == 12 && offsetof(struct value, last) == 16);
    assert(v.a == 1 && v.b == 2 && v.num == 0x200000001L && v.kind == PAIR);
    v.num = -1;
    assert(v.a == -1 && v.lo == -1 && v.uhi == 65535 && v.hi == -1);
    v.hi = 3;
    assert(v.a == 0x3ffff);
    struct value w = { NUM, { 5 }, 6 };
    assert(w.num == 5 && w.last == 6 && w.kind == NUM);
    struct { int x; struct { int y; struct { int z; }; }; } deep = { 1, { 2, { 3 } } };
    assert(deep.x + deep.y * 10 + deep.z * 100 == 321);
    int *p = &deep.z;
    *p = 8;
    assert(deep.z == 8);
    return 0;
}
