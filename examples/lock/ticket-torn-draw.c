//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// A ticket lock with a seeded bug: the number is drawn by a load and a store, so two threads can
// draw the same one. See ticket.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, serving;

static void lock(void)
{
    unsigned mine = atomic_load_explicit(&next_ticket, memory_order_relaxed);
    atomic_store_explicit(&next_ticket, mine + 1, memory_order_relaxed); /* BUG: not one step */
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
