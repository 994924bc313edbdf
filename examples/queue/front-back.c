// The front-and-back queue ("hwfb").
//
// What it is. An array and one word that holds two indices: `front` in the upper half, `back` in
// the lower. An enqueue adds one to `back` and fills the slot it drew; a dequeue adds one to
// `front`, unless front has caught up with back, and waits until the slot it drew is filled.
// From: Golovin, Kokologiannakis and Vafeiadis, "RELINCHE: Automatically Checking Linearizability
// under Relaxed Memory Consistency", POPL 2025, Example 2.2. (The slot that a dequeue reads is
// printed there as array[b]; it must be the one at the old front.)
//
// Linearization points. The update of the word, for all three kinds of call (for an empty queue,
// the read of the word). The order of these updates is the queue's order: nothing else decides.
//
// Why these access modes are enough. The word only has to have one order of changes, which even
// relaxed updates have; its reads and updates carry no data. The element itself travels through
// its slot, released and acquired. So exactly level R is provided, and nothing more.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 5
//@ expect: holds
//@ run: check --level RI --calls 2
//@ expect: violated witness.kind=sync
//@ note: two enqueues do not synchronise
//@ run: check --against front-back.c --calls 4
//@ expect: holds
//@ run: check --against global-lock.c --calls 3
//@ expect: violated witness.kind=sync witness.calls=2
//@ note: every call of that queue synchronises with the next (Example 2.1)
//@ run: check --against global-lock.c --calls 4 --memory sc
//@ expect: holds
//@ run: robust --calls 4
//@ expect: holds
#include <stdatomic.h>
#include <stdint.h>

#pragma lineal object queue level=R args=independent
#pragma lineal init queue_init(&queue)
#pragma lineal op enqueue = queue_enqueue(&queue, value)
#pragma lineal op dequeue = queue_dequeue(&queue) -> value, empty if result == 0

enum { SLOTS = 10 };
#define ONE_IN_FRONT ((uint64_t)1 << 32)

struct queue {
    _Atomic uint64_t front_back;
    _Atomic int slot[SLOTS]; /* 0: not filled yet */
};

struct queue queue;

/* All zero to begin with. */
void queue_init(struct queue *q)
{
    (void)q;
}

/* Any value but 0; at most SLOTS calls. */
void queue_enqueue(struct queue *q, int value)
{
    uint64_t k = atomic_fetch_add_explicit(&q->front_back, 1, memory_order_relaxed);
    atomic_store_explicit(&q->slot[(uint32_t)k], value, memory_order_release);
}

/* 0 when the queue is empty. */
int queue_dequeue(struct queue *q)
{
    uint64_t k;
    do {
        k = atomic_load_explicit(&q->front_back, memory_order_relaxed);
        if (k >> 32 >= (uint32_t)k)
            return 0;
    } while (!atomic_compare_exchange_strong_explicit(&q->front_back, &k, k + ONE_IN_FRONT, memory_order_relaxed,
                                                      memory_order_relaxed));
    int value;
    do {
        value = atomic_load_explicit(&q->slot[k >> 32], memory_order_acquire);
    } while (value == 0); /* the enqueue that drew this slot is about to fill it */
    return value;
}
