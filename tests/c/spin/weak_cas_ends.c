//@ run: verify --memory rc11 --liveness
//@ expect: holds
//@ run: verify --memory sc --liveness
//@ expect: holds
// A weak compare-and-swap may fail without need, but not for ever: this loop ends.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *increment(void *arg)
{
    (void)arg;
    int seen;
    do {
        seen = atomic_load_explicit(&x, memory_order_relaxed);
    } while (!atomic_compare_exchange_weak_explicit(&x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed));
    return 0;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, increment, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 2);
    return 0;
}
