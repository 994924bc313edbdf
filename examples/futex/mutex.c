//@ run: verify
//@ expect: holds
//@ run: verify --memory sc -D OTHERS=2
//@ expect: holds
//@ run: verify -D FORGETS -D OTHERS=2
//@ expect: violated witness.kind=deadlock
//@ run: verify -D RELAXED
//@ expect: violated witness.kind=race
//@ from: Drepper, Futexes Are Tricky (2011), section 6
// A mutex in one word: 0 free, 1 held, 2 held and perhaps awaited.
// FORGETS: whoever waits writes 1 when the mutex is handed on, so the next in line is not woken.
// RELAXED: the word is released without publishing what was done under it.
#include "futex.h"
#include <assert.h>

#ifdef FORGETS
#define TAKEN 1
#else
#define TAKEN 2
#endif
#ifdef RELAXED
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

#ifndef OTHERS
#define OTHERS 1
#endif

static atomic_int word;
static int shared;

static void lock(void)
{
    int seen = 0;
    if (atomic_compare_exchange_strong_explicit(&word, &seen, 1, memory_order_acquire, memory_order_relaxed))
        return;
    if (seen != 2) seen = atomic_exchange_explicit(&word, 2, memory_order_acquire);
    while (seen != 0) {
        futex_wait(&word, 2);
        seen = atomic_exchange_explicit(&word, TAKEN, memory_order_acquire);
    }
}

static void unlock(void)
{
    if (atomic_exchange_explicit(&word, 0, RELEASE) == 2) futex_wake(&word, 1);
}

static void *thread(void *unused)
{
    (void)unused;
    lock();
    shared++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t[OTHERS];
    for (int i = 0; i < OTHERS; i++) pthread_create(&t[i], NULL, thread, NULL);
    thread(NULL);
    for (int i = 0; i < OTHERS; i++) pthread_join(t[i], NULL);
    assert(shared == OTHERS + 1);
    return 0;
}
