//@ run: verify --memory sc
//@ expect: error line=9
// A memory order that is only known at run time.
#include <stdatomic.h>

static atomic_int n;
static int read_with(memory_order order)
{
    return atomic_load_explicit(&n, order);
}

int main(void) { return read_with(memory_order_acquire); }
