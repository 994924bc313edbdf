//@ run: verify
//@ expect: holds stats.executions=10201 stats.blocked=0
//@ run: verify --memory sc --no-reduction threads
//@ expect: holds stats.executions=20402
//@ run: verify --jobs 2 -D FAILS
//@ expect: violated witness.kind=assertion
// A loop that goes round a hundred times beside two threads that look: 101 values for each, and two orders of
// their stores. It seems to go on, so bounds are tried, which cut it; then all executions are counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *counts(void *unused)
{
    for (int i = 1; i <= 100; i++)
        atomic_store_explicit(&x, i, memory_order_relaxed);
    return unused;
}

static void *looks(void *unused)
{
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, seen, memory_order_relaxed);
#ifdef FAILS
    assert(seen != 100);
#endif
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], 0, counts, 0);
    pthread_create(&threads[1], 0, looks, 0);
    pthread_create(&threads[2], 0, looks, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
