//@ run: robust -D SWAPS
//@ expect: holds
//@ run: robust
//@ expect: violated witness.kind=order
//@ run: robust -D FENCED
//@ expect: violated witness.kind=order
//@ run: robust --memory tso
//@ expect: violated witness.kind=order
// Peterson's mutual exclusion for two threads, with release and acquire: robust if the turn is given
// away by an exchange; if it is stored, both may enter, and a fence in one of the threads is not
// enough.
#include "modes.h"
#include <pthread.h>

static atomic_int wants[2], turn, inside;

static void enter(int me)
{
    STORE(wants[me], 1, release);
#ifdef SWAPS
    atomic_exchange_explicit(&turn, 1 - me, memory_order_acq_rel);
#else
    STORE(turn, 1 - me, release);
#endif
#ifdef FENCED
    if (me == 0)
        FENCE(seq_cst);
#endif
    while (LOAD(wants[1 - me], acquire) && LOAD(turn, acquire) == 1 - me)
        ;
    STORE(inside, me, relaxed);
    STORE(wants[me], 0, release);
}

static void *other(void *unused)
{
    enter(1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    enter(0);
    pthread_join(t, 0);
}
