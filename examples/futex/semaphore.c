//@ run: verify
//@ expect: holds
//@ run: verify -D BLIND
//@ expect: violated witness.kind=deadlock
// A semaphore: a count, and how many wait for it to grow, so that nobody is woken in vain.
// BLIND: the waiter tells of itself after it has looked; a post in between wakes nobody.
#include "futex.h"
#include <assert.h>

static atomic_int count, waiters;
static int data;

static int try_wait(void)
{
    int n = atomic_load_explicit(&count, memory_order_relaxed);
    while (n > 0)
        if (atomic_compare_exchange_weak_explicit(&count, &n, n - 1, memory_order_acquire, memory_order_relaxed))
            return 1;
    return 0;
}

static void wait(void)
{
    while (!try_wait()) {
        atomic_fetch_add(&waiters, 1);
#ifdef BLIND
        /* Anything but 0 would do; the count is not compared. */
        int seen = atomic_load(&count);
        futex_wait(&count, seen);
#else
        futex_wait(&count, 0);
#endif
        atomic_fetch_sub(&waiters, 1);
    }
}

static void post(void)
{
    atomic_fetch_add(&count, 1);
    if (atomic_load(&waiters) > 0) futex_wake(&count, 1);
}

static void *consumer(void *unused)
{
    (void)unused;
    wait();
    assert(data == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, consumer, NULL);
    data = 1;
    post();
    pthread_join(t, NULL);
    return 0;
}
