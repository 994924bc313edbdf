//@ run: verify -DFIRST=spinner -DSECOND=writer
//@ expect: violated witness.kind=assertion
//@ run: verify -DFIRST=writer -DSECOND=spinner
//@ expect: violated witness.kind=assertion
// Both writes are seen in the wrong order only by an iteration that would go round again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void *spinner(void *arg)
{
    for (;;) {
        int f = atomic_load_explicit(&flag, memory_order_relaxed);
        int d = atomic_load_explicit(&data, memory_order_relaxed);
        if (f == 1)
            assert(d == 1);
        if (f == 2)
            return arg;
    }
}

static void *writer(void *arg)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return arg;
}

#ifndef FIRST
#define FIRST spinner
#define SECOND writer
#endif

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, FIRST, 0);
    pthread_create(&b, 0, SECOND, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
