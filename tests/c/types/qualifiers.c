//@ run: verify --memory sc
//@ expect: holds
// const, volatile, restrict and register change nothing about values.
#include <assert.h>

static const int table[] = { 3, 1, 4, 1, 5 };
static volatile int hw;
const char *const names[] = { "a", "bc" };

static void copy(int *restrict dst, const int *restrict src, unsigned n)
{
    while (n--)
        *dst++ = *src++;
}

int main(void)
{
    int out[5];
    register int sum = 0;
    const int *volatile p = table;
    int *const q = out;

    copy(out, table, 5);
    for (register unsigned i = 0; i < 5; i++)
        sum += q[i];
    assert(sum == 14);
    hw = 3;
    hw = hw + hw;
    assert(hw == 6);
    assert(*++p == 1 && names[1][1] == 'c');
    const struct { int a; const int b; } s = { 1, 2 };
    assert(s.a + s.b == 3);
    return 0;
}
