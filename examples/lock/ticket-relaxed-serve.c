//@ run: verify --memory rc11
//@ expect: violated witness.kind=race
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The ticket lock with one wrong order: unlock moves `serving` with a relaxed store. The next holder
// knows that it is its turn, but not what was done before: the two critical sections race.
// Under tso and sc every store has this effect, so nothing shows there. See ticket.c.
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
    atomic_store_explicit(&serving, now + 1, memory_order_relaxed); /* BUG */
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
