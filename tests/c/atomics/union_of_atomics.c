//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory rc11 -DHEAP
//@ expect: holds
//@ run: verify --memory rc11 -DEACH
//@ expect: holds
//@ run: verify --memory rc11 -DWHOLE
//@ expect: unknown limit.kind=method
// Two halves and a view of both: who uses the halves only, uses no mixed sizes. Elements of an
// array may be used in different ways.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

union both {
    struct {
        atomic_int low, high;
    };
    atomic_long all;
};

#ifdef HEAP
static union both *b;
#else
static union both some[2], *b = some;
#endif

static void *writer(void *arg)
{
    atomic_store_explicit(&b->low, 1, memory_order_relaxed);
    atomic_store_explicit(&b->high, 1, memory_order_release);
    return arg;
}

int main(void)
{
#ifdef HEAP
    b = calloc(2, sizeof *b);
#endif
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&b->high, memory_order_acquire))
        assert(atomic_load_explicit(&b->low, memory_order_relaxed) == 1);
#ifdef EACH
    atomic_fetch_add(&b[1].all, 1L << 32);
    assert(b[1].all == 1L << 32);
#endif
#ifdef WHOLE
    (void)atomic_load(&b->all);
#endif
    pthread_join(t, 0);
    return 0;
}
