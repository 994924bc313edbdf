// Everything relaxed: it promises no more than one value after another.
//@ run: check --against against-flag-weak.c --calls 3
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
    return atomic_load_explicit(&cell, memory_order_relaxed);
}
