//@ run: verify --memory sc
//@ expect: holds
// Any object may be read and rebuilt byte by byte, pointers included.
#include <assert.h>

struct s { short a; int *p; char c; };

static void copy(void *to, const void *from, unsigned n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    for (unsigned i = 0; i < n; i++)
        t[i] = f[i];
}

int main(void)
{
    int x = 77, *p = &x, *q = 0;
    copy(&q, &p, sizeof p);
    assert(q == &x && *q == 77);
    struct s a = { -3, &x, 'k' }, b = { 0, 0, 0 };
    copy(&b.a, &a.a, sizeof a.a);
    copy(&b.p, &a.p, sizeof a.p);
    b.c = a.c;
    assert(b.a == -3 && *b.p == 77 && b.c == 'k');
    long l = 0x0102030405060708L;
    unsigned char *bytes = (unsigned char *)&l;
    unsigned sum = 0;
    for (unsigned i = 0; i < sizeof l; i++)
        sum = sum * 3 + bytes[i];
    assert(bytes[0] == 8 && bytes[7] == 1);
    bytes[7] = 0x80;
    assert(l < 0);
    assert(sum == 8u * 2187 + 7 * 729 + 6 * 243 + 5 * 81 + 4 * 27 + 3 * 9 + 2 * 3 + 1);
    return 0;
}
