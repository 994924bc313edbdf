//@ run: verify --memory sc
//@ expect: holds
// _Alignof, _Alignas, offsetof, padding, the packed and aligned attributes.
#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

struct padded { char c; int i; char d; long l; };
struct nested { char c; struct padded p; short s[3]; };
struct __attribute__((packed)) tight { char c; int i; long l; };
struct line { _Alignas(64) int head; _Alignas(64) int tail; };
struct attr { int a; int b __attribute__((aligned(16))); };

static _Alignas(32) char buffer[5];
static alignas(long) char other[8];

int main(void)
{
    assert(_Alignof(char) == 1 && _Alignof(short) == 2 && _Alignof(int) == 4 && _Alignof(long) == 8);
    assert(alignof(void *) == 8 && _Alignof(struct padded) == 8 && _Alignof(int[7]) == 4);
    assert(offsetof(struct padded, i) == 4 && offsetof(struct padded, d) == 8);
    assert(offsetof(struct padded, l) == 16 && sizeof(struct padded) == 24);
    assert(offsetof(struct nested, p.d) == 16 && offsetof(struct nested, s[2]) == 36);
    assert(sizeof(struct nested) == 40);
    assert(sizeof(struct tight) == 13 && offsetof(struct tight, l) == 5 && _Alignof(struct tight) == 1);
    assert(sizeof(struct line) == 128 && offsetof(struct line, tail) == 64);
    assert(sizeof(struct attr) == 32 && _Alignof(struct attr) == 16);
    assert((uintptr_t)buffer % 32 == 0 && (uintptr_t)other % 8 == 0);
    struct tight t = { 1, 2, 3 };
    t.i += 5;
    assert(t.c == 1 && t.i == 7 && t.l == 3);
    return 0;
}
