//@ run: robust --libraries one.c,two.c
//@ expect: violated witness.kind=order
//@ run: robust --libraries one.c,two.c -D FIRST
//@ expect: violated witness.kind=order
//@ run: robust --libraries one.c,two.c -D FIRST -D SECOND
//@ expect: holds
//@ run: robust --libraries one.c,two.c -D TIMES=20 -D FIRST -D SECOND --max-states 2000
//@ expect: holds
//@ run: robust --libraries one.c,two.c -D TIMES=20 -D FIRST -D SECOND --max-states 2000 --calls 4
//@ expect: unknown
// Two registers that are robust, and a client that uses both: without a fence between the calls, in both
// threads, each may miss what the other wrote ("store buffering"). Where it is too large to be explored
// (TIMES), composition answers: the registers are proved robust for every client. Asked about with a few calls
// only (--calls), and called more often, they support no claim.
// From: Nagar et al., OOPSLA 2024, Figure 1.
#include "registers.h"
#include <pthread.h>

#ifndef TIMES
#define TIMES 1
#endif
#ifdef FIRST
#define FENCE_1 FENCE(seq_cst)
#else
#define FENCE_1 (void)0
#endif
#ifdef SECOND
#define FENCE_2 FENCE(seq_cst)
#else
#define FENCE_2 (void)0
#endif

static void *left(void *unused)
{
    for (int i = 0; i < TIMES; i++) {
        set_one(1);
        FENCE_1;
        get_two();
        FENCE_1;
    }
    return unused;
}

static void *right(void *unused)
{
    for (int i = 0; i < TIMES; i++) {
        set_two(1);
        FENCE_2;
        get_one();
        FENCE_2;
    }
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
