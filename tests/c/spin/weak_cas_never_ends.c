//@ run: verify --memory rc11 --liveness
//@ expect: violated witness.kind=liveness
//@ run: verify --memory rc11
//@ expect: holds
// A weak compare-and-swap that waits for something nobody writes: this loop does not end, with
// or without failures that have no need.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *wait(void *arg)
{
    (void)arg;
    int seen;
    do {
        seen = 1;
    } while (!atomic_compare_exchange_weak_explicit(&x, &seen, 2, memory_order_relaxed, memory_order_relaxed));
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    pthread_join(t, 0);
    return 0;
}
