// Herlihy and Wing's queue.
//
// What it is. An array. An enqueue draws the next index and later fills that slot; a dequeue
// looks through the slots from the first to the last drawn one and takes the first element it
// finds. On an empty queue it goes on looking: it waits.
// From: Herlihy and Wing, "Linearizability: A Correctness Condition for Concurrent Objects",
// TOPLAS 1990.
//
// Linearization points. There are none that the code could name: which of two overlapping
// enqueues came first is only settled by the dequeues that follow. (Roughly: a dequeue takes
// effect at its exchange, an enqueue at some point that later dequeues choose.)
//
// Why these access modes are enough.
// - Filling a slot releases the element, the read and the exchange of the slot acquire it: level R.
// - Drawing an index releases, reading `back` acquires: an enqueue that another one happens
//   before has the later slot, and a dequeue that it happens before has that slot in its range.
// - The exchange also releases. With acquire alone, a later dequeue would find the slot empty
//   without having seen what the earlier one saw: herlihy-wing-acquire-exchange.c.
// - Enqueues do not acquire anything from each other, and need not at level R.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 5
//@ expect: holds
//@ run: check --level RI --calls 2
//@ expect: violated witness.kind=sync
//@ run: robust --calls 4
//@ expect: violated witness.kind=order
//@ note: two enqueues do not synchronise
// Level R with "each remove before the next" (and without RI) fails at 2+2 calls.
#include <stdatomic.h>

#pragma lineal object queue level=R args=independent
#pragma lineal init queue_init(&queue)
#pragma lineal op enqueue = queue_enqueue(&queue, value)
#pragma lineal op dequeue = queue_dequeue(&queue) -> value

enum { SLOTS = 10 };

struct queue {
    _Atomic int back;
    _Atomic int slot[SLOTS]; /* 0: nothing there, yet or any more */
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
    int i = atomic_fetch_add_explicit(&q->back, 1, memory_order_release);
    atomic_store_explicit(&q->slot[i], value, memory_order_release);
}

/* Waits until there is an element. */
int queue_dequeue(struct queue *q)
{
    for (;;) {
        int back = atomic_load_explicit(&q->back, memory_order_acquire);
        for (int i = 0; i < back; i++) {
            if (atomic_load_explicit(&q->slot[i], memory_order_acquire) == 0)
                continue;
            int value = atomic_exchange_explicit(&q->slot[i], 0, memory_order_acq_rel);
            if (value != 0)
                return value;
        }
    }
}
