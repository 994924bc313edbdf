//@ run: verify --memory rc11
//@ expect: violated witness.kind=race
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// Test-and-test-and-set with one wrong order: the test acquires instead of the exchange. That looks
// as good, since both see the lock free, but in between the lock may have been taken and given back:
// the exchange then reads an unlock that the test has not seen. See ttas.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool held;

static void lock(void)
{
    for (;;) {
        while (atomic_load_explicit(&held, memory_order_acquire))
            ;
        if (!atomic_exchange_explicit(&held, true, memory_order_relaxed) /* BUG */)
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
