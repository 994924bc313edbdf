// What against-fence.c is compared with: its first operation ends with a fence.
//@ run: check --against against-fence.c --calls 3
//@ expect: holds
#include <stdatomic.h>

#pragma lineal object spec level=none
#pragma lineal op first = first()
#pragma lineal op second = second()
#pragma lineal op both = both() -> result
#pragma lineal spec first = nothing()
#pragma lineal spec second = nothing()
#pragma lineal spec both = zero()

void nothing(void) { }
int zero(void) { return 0; }

static atomic_int x, y;

void first(void)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}

void second(void) { atomic_store_explicit(&x, 1, memory_order_relaxed); }

int both(void)
{
    int a = atomic_load_explicit(&x, memory_order_acquire);
    return 2 * a + atomic_load_explicit(&y, memory_order_relaxed);
}
