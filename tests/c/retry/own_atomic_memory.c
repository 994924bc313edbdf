//@ run: verify
//@ expect: violated
//@ run: verify -D HEAP --memory sc
//@ expect: violated
//@ run: verify -D XCHG --memory tso
//@ expect: violated
//@ run: verify -D HEAP --no-reduction iterations
//@ expect: violated
//@ run: verify -D AGAIN --memory sc
//@ expect: violated
//@ run: verify -D AGAIN
//@ expect: violated
//@ run: verify -D AGAIN --no-reduction iterations
//@ expect: violated
// Iterations that keep what they read in an atomic of the thread's own, behind a pointer, and go by what
// they find there. What is written there next does not make the reads before it old; and what the thread
// found there before its loop it cannot have put there in it.
// From: a tester's random programs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void *waiter(void *unused)
{
#ifdef HEAP
    atomic_int *own = malloc(sizeof *own);
#else
    atomic_int local, *own = &local;
#endif
#ifdef AGAIN
    atomic_store(own, 0);
    int found = atomic_load(own);
    while (!found) {
        atomic_store(own, atomic_load(&y));
        found = atomic_load(own);
        atomic_store(own, 0);
    }
    assert(0);
#else
#ifdef XCHG
    int mine = atomic_exchange(&x, 5);
#else
    int mine = atomic_fetch_add(&x, 1);
#endif
    do
        atomic_store(own, atomic_load(&y));
    while (mine != atomic_load(own));
    assert(mine != 1);
#endif
    return unused;
}

static void *second(void *unused)
{
    atomic_store(&y, 1);
    return unused;
}

static void *first(void *unused)
{
#ifdef XCHG
    atomic_exchange(&x, 1);
#else
    atomic_fetch_add(&x, 1);
#endif
    return unused;
}

int main(void)
{
    void *(*run[])(void *) = {second, waiter, first};
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], 0, run[i], 0);
    for (int i = 2; i >= 0; i--)
        pthread_join(thread[i], 0);
    return 0;
}
