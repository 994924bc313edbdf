//@ run: verify
//@ expect: violated
//@ run: verify --memory ra
//@ expect: violated
//@ run: verify --no-reduction iterations
//@ expect: violated
//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify -D ORDERED
//@ expect: holds
//@ run: verify -D PLAINLY --unroll 2
//@ expect: violated witness.kind=race
//@ run: verify -D PLAINLY -D ONCE --unroll 2
//@ expect: violated witness.kind=race
//@ run: verify -D AFTER
//@ expect: violated
// A thread keeps what it read in memory of its own, and others find the way there only afterwards. How the
// memory was set up they know, since a fence stands behind that; what was written later they need not
// have seen, so that they may read what an iteration wrote that failed, or race with it.
// From: a tester's programs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define relaxed memory_order_relaxed
#ifdef ORDERED
#define LINK memory_order_release
#else
#define LINK relaxed
#endif

static atomic_int x;
static _Atomic(atomic_int *) shared;

static void *waiter(void *unused)
{
    atomic_int *own = calloc(1, sizeof *own);
    atomic_thread_fence(memory_order_release);
    int a;
#ifdef PLAINLY
    do {
        a = atomic_load_explicit(&x, relaxed);
        if (a == 2)
            atomic_store_explicit(own, a, relaxed);
        else
            atomic_init(own, a);
    } while (a != 2);
#elif defined(AFTER)
    do {
        a = atomic_load_explicit(&x, relaxed);
        atomic_store_explicit(own, a, relaxed);
    } while (a != 2 && !(a == 0 && atomic_load_explicit(&x, relaxed) == 2));
    atomic_store_explicit(own, 3, relaxed);
#else
    do {
        a = atomic_load_explicit(&x, relaxed);
        atomic_store_explicit(own, a, relaxed);
    } while (a != 2);
#endif
    atomic_store_explicit(&shared, own, LINK);
    return unused;
}

static void *reader(void *unused)
{
    atomic_int *p = atomic_load_explicit(&shared, memory_order_acquire);
    int seen = p ? atomic_load_explicit(p, relaxed) : -1;
#ifndef PLAINLY
    assert(seen != 1);
#endif
    return (void *)(long)seen;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, waiter, 0);
    pthread_create(&t[1], 0, reader, 0);
#ifndef ONCE
    atomic_store_explicit(&x, 1, relaxed);
#endif
    atomic_store_explicit(&x, 2, relaxed);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
