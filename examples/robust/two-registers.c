//@ run: robust -D FIRST -D SECOND
//@ expect: holds
//@ run: robust
//@ expect: violated witness.kind=order
//@ run: robust -D FIRST
//@ expect: violated witness.kind=order
//@ run: robust -D SECOND
//@ expect: violated witness.kind=order
//@ run: robust --memory tso
//@ expect: violated witness.kind=order
// Two registers, each of them robust, and a program that uses both: without a fence between the calls
// in both threads, both reads may miss the write ("store buffering").
// From: Nagar et al., OOPSLA 2024, Figure 1.
#include "modes.h"
#include <pthread.h>

static atomic_int one, two;

static void *left(void *unused)
{
    STORE(one, 1, release);
#ifdef FIRST
    FENCE(seq_cst);
#endif
    int seen = LOAD(two, acquire);
    (void)seen;
    return unused;
}

static void *right(void *unused)
{
    STORE(two, 1, release);
#ifdef SECOND
    FENCE(seq_cst);
#endif
    int seen = LOAD(one, acquire);
    (void)seen;
    return unused;
}

int main(void)
{
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
}
