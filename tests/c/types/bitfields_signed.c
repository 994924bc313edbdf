//@ run: verify --memory sc
//@ expect: holds
// Signed bit-fields: sign extension on load.
#include <assert.h>

struct s {
    int a : 3;
    signed b : 5;
    int c : 24;
    signed char d : 4;
    long e : 40;
};

int main(void)
{
    struct s x = { .a = -4, .b = 15, .c = -1, .d = -8, .e = -1 };
    assert(x.a == -4 && x.b == 15 && x.c == -1 && x.d == -8 && x.e == -1);
    x.a = 3;
    assert(x.a == 3);
    x.a = 5;                    /* 101 in three bits */
    assert(x.a == -3);
    x.b++;
    assert(x.b == -16);
    x.d = 7;
    x.d++;
    assert(x.d == -8);
    x.e = 1L << 39;
    assert(x.e == -(1L << 39));
    x.e = (1L << 39) - 1;
    assert(x.e == 549755813887L);
    x.c = 0x800000;
    assert(x.c == -8388608);
    x.c >>= 4;
    assert(x.c == -524288);
    assert(x.b == -16 && x.d == -8);
    return 0;
}
