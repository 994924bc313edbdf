//@ run: robust --libraries one.c
//@ expect: violated witness.kind=order
//@ run: robust --libraries one.c -D FENCED
//@ expect: holds
// The client's own atomics count: a register of a library, and a flag of the client.
#include "registers.h"
#include <pthread.h>

static atomic_int flag;

static void separate(void)
{
#ifdef FENCED
    FENCE(seq_cst);
#endif
}

static void *other(void *unused)
{
    STORE(flag, 1, release);
    separate();
    get_one();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    set_one(1);
    separate();
    LOAD(flag, acquire);
    pthread_join(t, 0);
}
