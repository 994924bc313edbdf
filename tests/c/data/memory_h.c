//@ run: verify --memory sc
//@ expect: holds
// memcpy, memmove, memset and memcmp on structs, overlapping ranges and part of an int.
#include <assert.h>
#include <string.h>
#include <stdint.h>

struct rec { int id; char name[6]; struct rec *self; };

int main(void)
{
    struct rec a = { 1, "alice", 0 }, b;
    a.self = &a;
    memcpy(&b, &a, sizeof b);
    assert(b.id == 1 && !strcmp(b.name, "alice") && b.self == &a);
    int v[6] = { 1, 2, 3, 4, 5, 6 };
    memmove(v + 1, v, 4 * sizeof *v);
    assert(v[0] == 1 && v[1] == 1 && v[2] == 2 && v[4] == 4 && v[5] == 6);
    memmove(v, v + 2, 4 * sizeof *v);
    assert(v[0] == 2 && v[2] == 4 && v[3] == 6 && v[5] == 6);
    memset(v, 0, sizeof v);
    assert(v[0] == 0 && v[5] == 0);
    memset(v, 0xff, 8);
    assert(v[0] == -1 && v[1] == -1 && v[2] == 0);
    uint32_t x = 0xaabbccdd;
    uint8_t bytes[4];
    memcpy(bytes, &x, 4);
    assert(bytes[0] == 0xdd && bytes[3] == 0xaa);
    memcpy((char *)&x + 1, "\x01\x02", 2);
    assert(x == 0xaa0201dd);
    assert(memcmp(&a.id, &b.id, sizeof a.id) == 0);
    memset(&b, 0, sizeof b);
    assert(b.self == 0 && b.id == 0);
    struct rec *p = &b;
    memcpy(&p, &a.self, sizeof p);
    assert(p->id == 1);
    memcpy(v, v, 0);
    __builtin_memset(v, 0, sizeof v);
    assert(v[0] == 0);
    return 0;
}
