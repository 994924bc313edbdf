//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory ra
//@ expect: holds
//@ run: verify --memory rc11
//@ expect: holds
// Test-and-test-and-set: look first, swap only when the lock seems free.
//
// The inner loop only reads, so waiting threads do not fight over the cache line. The decision is
// made by the exchange: whoever gets the old value `false` back holds the lock.
//
// Memory orders. The exchange *acquires*, unlock *releases*. The test before it is a hint, so
// relaxed is enough. These are the weakest orders: with the exchange or the unlock relaxed, two
// critical sections are a race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool held;

static void lock(void)
{
    for (;;) {
        while (atomic_load_explicit(&held, memory_order_relaxed))
            ;
        if (!atomic_exchange_explicit(&held, true, memory_order_acquire))
            return;
    }
}

static void unlock(void)
{
    atomic_store_explicit(&held, false, memory_order_release);
}

/* The client: two threads share a plain counter, twice each. Any overlap would be a data race. */
static int counter;

static void *worker(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        lock();
        counter++;
        unlock();
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4);
    return 0;
}
