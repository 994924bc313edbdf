//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory ra
//@ expect: holds
//@ run: verify --memory rc11
//@ expect: holds
// A ticket lock: draw a number, wait until it is served. First come, first served.
//
// Memory orders. Drawing is a relaxed read-modify-write: numbers must be unique, nothing else.
// The critical section is ordered by `serving`: unlock *releases*, the waiting load *acquires*.
// Only the holder writes `serving`, so a plain load-add-store of it (relaxed load) is enough.
// These are the weakest orders: with either of the two relaxed, two critical sections are a race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, serving;

static void lock(void)
{
    unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        ;
}

static void unlock(void)
{
    unsigned now = atomic_load_explicit(&serving, memory_order_relaxed);
    atomic_store_explicit(&serving, now + 1, memory_order_release);
}

/* The client: three threads share a plain counter. Any overlap would be a data race. */
static int counter;

static void *worker(void *arg)
{
    (void)arg;
    lock();
    counter++;
    unlock();
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(counter == 3);
    return 0;
}
