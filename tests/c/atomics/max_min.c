//@ run: verify
//@ expect: holds
// Maxima and minima, where the compiler has them.
#include <assert.h>

static int s = -5;
static unsigned u = 5;

int main(void)
{
#ifdef __LINEAL__
    assert(__atomic_fetch_max(&s, -3, __ATOMIC_RELAXED) == -5 && s == -3);
    assert(__atomic_min_fetch(&s, -9, __ATOMIC_RELAXED) == -9 && s == -9);
    assert(__sync_fetch_and_max(&u, 4000000000u) == 5 && u == 4000000000u);
    assert(__sync_fetch_and_min(&u, 7) == 4000000000u && u == 7);
#else
    s = -9;
    u = 7;
#endif
    assert(s == -9 && u == 7);
    return 0;
}
