// A fence that nothing needs is taken out, one that publishes stays as a release.
//@ run: check --weaken --calls 3
//@ expect: holds  rewrite.verified=true  rewrite.minimal=true
#include <stdatomic.h>

#pragma lineal object register level=R args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static atomic_int cell;

void put(int value)
{
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&cell, value, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
}

int get(void)
{
    int value = atomic_load_explicit(&cell, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    return value;
}
