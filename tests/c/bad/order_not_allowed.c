//@ run: verify --memory sc
//@ expect: error line=10
// A load cannot release.
#include <stdatomic.h>

static atomic_int n;

int main(void)
{
    return atomic_load_explicit(&n, memory_order_release);
}
