//@ run: verify
//@ expect: holds
//@ run: verify -D UNFENCED
//@ expect: violated witness.kind=deadlock
//@ run: verify -D UNFENCED --memory sc
//@ expect: holds
// An event count: who is about to sleep notes the epoch, looks once more, and sleeps as long as the epoch is the
// same. Who makes the condition true advances the epoch, if anybody has said to be waiting.
// UNFENCED: the waiter's note and the notifier's look need not see each other: the notifier finds nobody waiting
// and the waiter nothing to do.
#include "futex.h"

static atomic_int epoch, waiting, item;

#ifdef UNFENCED
#define fence() ((void)0)
#else
#define fence() atomic_thread_fence(memory_order_seq_cst)
#endif

static void notify(void)
{
    fence();
    if (atomic_load_explicit(&waiting, memory_order_relaxed) == 0) return;
    atomic_fetch_add_explicit(&epoch, 1, memory_order_release);
    futex_wake(&epoch, INT_MAX);
}

static void *consumer(void *unused)
{
    (void)unused;
    while (!atomic_load_explicit(&item, memory_order_acquire)) {
        int key = atomic_load_explicit(&epoch, memory_order_acquire);
        atomic_fetch_add_explicit(&waiting, 1, memory_order_relaxed);
        fence();
        if (!atomic_load_explicit(&item, memory_order_acquire)) futex_wait(&epoch, key);
        atomic_fetch_sub_explicit(&waiting, 1, memory_order_relaxed);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, consumer, NULL);
    atomic_store_explicit(&item, 1, memory_order_release);
    notify();
    pthread_join(t, NULL);
    return 0;
}
