//@ run: verify
//@ expect: holds
//@ run: verify -D LATE
//@ expect: violated witness.kind=deadlock
//@ run: verify -D ONCE
//@ expect: violated witness.kind=assertion
// A condition variable: a number that every signal changes. Who waits reads it under the mutex and sleeps as long as
// it has not changed.
// LATE: the number is read after the mutex is given up; a signal in between is lost.
// ONCE: the waiter does not look again, though a wait may end without a reason.
#include "futex.h"
#include <assert.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turn;
static int ready;

static void wait_for_signal(void)
{
#ifdef LATE
    pthread_mutex_unlock(&mutex);
    int seen = atomic_load_explicit(&turn, memory_order_relaxed);
#else
    int seen = atomic_load_explicit(&turn, memory_order_relaxed);
    pthread_mutex_unlock(&mutex);
#endif
    futex_wait(&turn, seen);
    pthread_mutex_lock(&mutex);
}

static void signal_one(void)
{
    atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed);
    futex_wake(&turn, 1);
}

static void *waiter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
#ifdef ONCE
    if (!ready) wait_for_signal();
#else
    while (!ready) wait_for_signal();
#endif
    assert(ready);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    signal_one();
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
