//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// Test-and-test-and-set with a seeded bug: the lock is tested and then set in a second step, so
// two threads can both find it free. See ttas.c.
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
        atomic_store_explicit(&held, true, memory_order_relaxed); /* BUG: somebody else may have */
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
