//@ run: verify -DSHAPE=0
//@ expect: holds stats.executions=2
//@ run: verify -DSHAPE=1
//@ expect: holds stats.executions=2
//@ run: verify -DSHAPE=2 -DALL=4
//@ expect: holds stats.executions=2
//@ run: verify -DSHAPE=0 -DALL=2 --memory tso
//@ expect: holds stats.executions=2
//@ run: verify -DSHAPE=0 -DTELLS
//@ expect: violated witness.kind=assertion
// Readers and writers with a loop each, and what was found kept in a variable that outlives the loop:
// it differs with what others have tried meanwhile, and nobody looks at it again (or does).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ALL
#define ALL 0x100000
#endif

static atomic_int left = ALL;
static int shared;

static void *reader(void *unused)
{
    int found;
#if SHAPE == 0
    for (;;) {
        found = atomic_fetch_sub_explicit(&left, 1, memory_order_acquire);
        if (found > 0)
            break;
        atomic_fetch_add_explicit(&left, 1, memory_order_relaxed);
    }
#elif SHAPE == 1
    found = atomic_fetch_sub_explicit(&left, 1, memory_order_acquire);
    while (found <= 0) {
        atomic_fetch_add_explicit(&left, 1, memory_order_relaxed);
        found = atomic_fetch_sub_explicit(&left, 1, memory_order_acquire);
    }
#else
    int again;
    do {
        found = atomic_fetch_sub_explicit(&left, 1, memory_order_acquire);
        again = !(found > 0);
        if (again)
            atomic_fetch_add_explicit(&left, 1, memory_order_relaxed);
    } while (again);
#endif
    int seen = shared;
    (void)seen;
    atomic_fetch_add_explicit(&left, 1, memory_order_release);
    return unused;
}

static void *writer(void *unused)
{
    int found;
    for (;;) {
        found = atomic_fetch_sub_explicit(&left, ALL, memory_order_acquire);
        if (found == ALL)
            break;
        atomic_fetch_add_explicit(&left, ALL, memory_order_relaxed);
    }
    shared++;
#ifdef TELLS
    found = atomic_fetch_add_explicit(&left, ALL, memory_order_release);
    assert(found == 0); /* not while a reader tries */
#else
    atomic_fetch_add_explicit(&left, ALL, memory_order_release);
#endif
    return unused;
}

int main(void)
{
    pthread_t r, w;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r, 0);
    pthread_join(w, 0);
}
