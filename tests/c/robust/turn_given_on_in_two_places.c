// The turn is given on in one of two places. A fact that speaks of one of them contradicts every
// call that takes the other, and whatever follows from a contradiction would be proved.
//@ run: robust --prove
//@ expect: unknown
//@ run: robust --calls 2
//@ expect: violated witness.kind=order
//@ run: robust --prove -D SHOW=release -D LOOK=acquire
//@ expect: holds
//@ run: robust --calls 4 -D SHOW=release -D LOOK=acquire
//@ expect: holds
#include <stdatomic.h>

#pragma lineal object spec level=none args=independent
#pragma lineal op f = f() -> result

#ifndef SHOW
#define SHOW relaxed
#define LOOK relaxed
#endif
#define ORDER_(mode) memory_order_##mode
#define ORDER(mode) ORDER_(mode)

static atomic_uint next, serving, d;

int f(void)
{
    unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, ORDER(LOOK)) != mine)
        ;
    unsigned v = atomic_load_explicit(&d, memory_order_relaxed);
    atomic_store_explicit(&d, v + 1, memory_order_relaxed);
    if (mine == 1)
        v = 0;
    atomic_store_explicit(&serving, mine + 1, ORDER(SHOW));
    return v;
}
