//@ run: robust --calls 2
//@ expect: violated witness.kind=unsafe
//@ run: robust --calls 3 -D PUBLISH=memory_order_release
//@ expect: holds
//@ run: robust --calls 2 --memory tso
//@ expect: holds
// What is published with a relaxed store races under weak memory, and only there.
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PUBLISH
#define PUBLISH memory_order_relaxed
#endif

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static int *_Atomic current;

void put(int value)
{
    int *mine = malloc(sizeof *mine);
    *mine = value;
    atomic_store_explicit(&current, mine, PUBLISH);
}

int get(void)
{
    int *found = atomic_load_explicit(&current, memory_order_acquire);
    return found ? *found : 0;
}
