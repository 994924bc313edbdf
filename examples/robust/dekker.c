//@ run: robust -D FENCED
//@ expect: holds
//@ run: robust
//@ expect: violated witness.kind=order
//@ run: robust -D FENCED -D LOOK=relaxed
//@ expect: violated witness.kind=order
// The core of Dekker's mutual exclusion: say so, look at the other, and go in if it has not said so.
// It takes a fence between the two, and acquire at the look, since whoever goes in reads what the other
// left there.
#include "modes.h"
#include <pthread.h>

#ifndef LOOK
#define LOOK acquire
#endif

static atomic_int wants[2], count;

static void attempt(int me)
{
    STORE(wants[me], 1, relaxed);
#ifdef FENCED
    FENCE(seq_cst);
#endif
    if (!LOAD(wants[1 - me], LOOK))
        STORE(count, LOAD(count, relaxed) + 1, relaxed);
    STORE(wants[me], 0, release);
}

static void *other(void *unused)
{
    attempt(1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    attempt(0);
    pthread_join(t, 0);
}
