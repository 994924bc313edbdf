//@ run: verify
//@ expect: holds
//@ run: verify -D UNMARKED
//@ expect: violated witness.kind=deadlock
// Signal under the mutex without a hurry: nobody is woken, the waiter is moved to the mutex, and woken when it is
// given up.
// UNMARKED: the mutex does not say that somebody waits for it now, so giving it up wakes nobody.
#include "futex.h"
#include <assert.h>

#ifdef UNMARKED
#define AWAITED 0
#else
#define AWAITED 1
#endif

static atomic_int mutex, turn;
static int ready, seen;

static void lock(int awaited)
{
    int free = 0;
    if (!awaited && atomic_compare_exchange_strong_explicit(&mutex, &free, 1, memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&mutex, 2, memory_order_acquire) != 0) futex_wait(&mutex, 2);
}

static void unlock(void)
{
    if (atomic_exchange_explicit(&mutex, 0, memory_order_release) == 2) futex_wake(&mutex, 1);
}

static void *waiter(void *unused)
{
    (void)unused;
    lock(0);
    while (!ready) {
        int number = atomic_load_explicit(&turn, memory_order_relaxed);
        unlock();
        futex_wait(&turn, number);
        /* Others may have been moved here: whoever comes back takes the mutex as awaited. */
        lock(1);
    }
    seen++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    lock(AWAITED);
    ready = 1;
    int number = atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed) + 1;
    futex_requeue(&turn, 0, INT_MAX, &mutex, number);
    unlock();
    pthread_join(t, NULL);
    assert(seen == 1);
    return 0;
}
