// A read waits until something was written.
//@ run: check --against against-flag-weak.c --calls 2
//@ expect: holds
#include <stdatomic.h>

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static _Atomic int cell;

void put(int value)
{
    atomic_store_explicit(&cell, value, memory_order_relaxed);
}

int get(void)
{
    int value;
    while ((value = atomic_load_explicit(&cell, memory_order_relaxed)) == 0) {
    }
    return value;
}
