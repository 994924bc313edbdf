// Who leaves a barrier still looks at it, whoever came last. Destroying it waits for that, as in glibc, so its
// memory may be given up then; freeing, overwriting or setting it up anew without that may come too early.
//@ run: verify --memory sc -D DESTROY
//@ expect: holds
//@ run: verify --memory sc -D DESTROY --no-reduction arrivals
//@ expect: holds
//@ run: verify -D DESTROY -D RESULT
//@ expect: holds
//@ run: verify -D DESTROY -D RESULT --no-reduction arrivals
//@ expect: holds
//@ run: verify --memory tso -D DESTROY -D THREADS=3
//@ expect: holds
//@ run: verify --memory ra -D DESTROY -D AGAIN
//@ expect: holds
//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
//@ run: verify --memory sc --no-reduction arrivals
//@ expect: violated witness.kind=use-after-free
//@ run: verify -D RESULT
//@ expect: violated witness.kind=use-after-free
//@ run: verify -D RESULT --no-reduction arrivals
//@ expect: violated witness.kind=use-after-free
//@ run: verify -D THREADS=3
//@ expect: violated witness.kind=use-after-free
//@ run: verify -D AGAIN
//@ expect: violated witness.kind=race
//@ run: verify -D AGAIN --no-reduction arrivals
//@ expect: violated witness.kind=race
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif

static int results[THREADS];

static void wait_at(pthread_barrier_t *b, int i)
{
    (void)i;
#ifdef RESULT
    results[i] = pthread_barrier_wait(b);
#else
    pthread_barrier_wait(b);
#endif
}

static void *other(void *b)
{
    wait_at(b, 0);
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    pthread_barrier_t *b = malloc(sizeof *b);
    pthread_barrier_init(b, 0, THREADS);
    for (int i = 1; i < THREADS; i++)
        pthread_create(&t[i], 0, other, b);
    wait_at(b, 1);
#ifdef DESTROY
    pthread_barrier_destroy(b);
#endif
#ifdef AGAIN
    pthread_barrier_init(b, 0, 1);
    pthread_barrier_wait(b);
    for (int i = 1; i < THREADS; i++)
        pthread_join(t[i], 0);
    free(b);
#else
    free(b);
    for (int i = 1; i < THREADS; i++)
        pthread_join(t[i], 0);
#endif
    return 0;
}
