// A counter that loses increments: no memory order helps.
//@ run: check --repair --calls 3
//@ expect: violated  remarks.len=1
#include <stdatomic.h>

#pragma lineal object counter args=independent
#pragma lineal op inc = inc()
#pragma lineal op read = get() -> value

static atomic_int count;

void inc(void)
{
    int n = atomic_load_explicit(&count, memory_order_acquire);
    atomic_store_explicit(&count, n + 1, memory_order_release);
}

int get(void)
{
    return atomic_load_explicit(&count, memory_order_acquire);
}
