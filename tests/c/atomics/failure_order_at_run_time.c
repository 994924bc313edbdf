//@ run: verify
//@ expect: violated witness.kind=invalid-order witness.at.line=7
// A failed compare-and-swap only loads.
#include <stdatomic.h>

static atomic_int x;
static int try(int old, memory_order f) { return atomic_compare_exchange_strong_explicit(&x, &old, 1, memory_order_acq_rel, f); }

int main(void)
{
    return try(0, memory_order_acq_rel);
}
