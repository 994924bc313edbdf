//@ run: verify --memory sc
//@ expect: error line=10
// A memory order that is only known at run time.
#include <stdatomic.h>

static atomic_int n;

static int get(memory_order o)
{
    return atomic_load_explicit(&n, o);
}

int main(void)
{
    return get(memory_order_acquire);
}
