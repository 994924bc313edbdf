// A read counts to a number that it draws before it returns.
//@ run: check --against against-flag-weak.c --calls 1
//@ expect: holds
#include <stdatomic.h>

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

int __VERIFIER_nondet_range(int, int);
static _Atomic int cell;

void put(int value)
{
    atomic_store_explicit(&cell, value, memory_order_relaxed);
}

int get(void)
{
    int last = 1;
    for (int i = 0; i < 4; i++)
        last = atomic_load_explicit(&cell, memory_order_relaxed);
    return last;
}
