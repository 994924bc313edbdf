// A relaxed register against others: weaker, stronger, wrong, of another shape, waiting, cut off.
//@ run: check --against against-flag.c --calls 3
//@ expect: holds
//@ run: check -DSTRONG --against against-flag-weak.c --calls 3
//@ expect: holds
//@ run: check --against against-flag-strong.c --calls 2
//@ expect: violated witness.kind=sync
//@ run: check --against against-flag-strong.c --calls 3 --memory sc
//@ expect: holds
//@ run: check --against against-flag-race.c --calls 2
//@ expect: error code=L0126 message="the specification against-flag-race.c goes wrong"
//@ run: check --against against-flag-names.c
//@ expect: error code=L0130 message="`read` is no operation of against-flag-names.c"
//@ run: check --against against-flag-waits.c --calls 2
//@ expect: violated witness.kind=result witness.calls=1
//@ run: check --against against-flag-loop.c --calls 1 --unroll 2
//@ expect: unknown
#include <stdatomic.h>

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

#ifdef STRONG
#define PUT memory_order_release
#define GET memory_order_acquire
#else
#define PUT memory_order_relaxed
#define GET memory_order_relaxed
#endif

static _Atomic int cell;

void put(int value)
{
    atomic_store_explicit(&cell, value, PUT);
}

int get(void)
{
    return atomic_load_explicit(&cell, GET);
}
