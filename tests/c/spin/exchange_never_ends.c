//@ run: verify --memory rc11 --liveness
//@ expect: violated witness.kind=liveness
//@ run: verify --memory sc --liveness -DTHREADS=2
//@ expect: violated witness.kind=liveness
//@ run: verify --memory sc --liveness -DFREED
//@ expect: holds
// A test-and-set lock that nobody gives back: each attempt writes, and changes nothing.
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 1
#endif

static atomic_int locked = 1;

static void *take(void *arg)
{
    while (atomic_exchange(&locked, 1))
        ;
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, take, 0);
#ifdef FREED
    locked = 0;
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
