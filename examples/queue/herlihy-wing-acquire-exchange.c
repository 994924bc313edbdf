// Herlihy and Wing's queue, its exchange weakened to acquire: wrong.
//
// What it is. herlihy-wing.c, except that the exchange by which a dequeue empties a slot acquires
// and does not release.
// From: Raad, Doko, Rozic, Lahav and Vafeiadis, "On Library Correctness under Weak Memory
// Consistency", POPL 2019, with a client of 8 calls; Golovin, Kokologiannakis and Vafeiadis, POPL
// 2025, Examples 2.4 and 6.1, with 7.
//
// What goes wrong. A dequeue that skips an emptied slot has not seen what the one that emptied it
// had seen, so the order in which elements leave says nothing about what the callers know:
//     enqueue 1; enqueue 2  ||  enqueue 3; dequeue -> 1  ||  dequeue -> 2; enqueue 4  ||  dequeue -> 4
// 1 is enqueued before 2, 2 before 4 (it was dequeued before). 3 stays behind, so it comes after
// 4, and the dequeue of 1, which follows the enqueue of 3, comes after that too. But 1 must leave
// before 2, and 2 left before 4 was enqueued: a cycle. With an exchange that also releases,
// finding the slot of 1 empty means having seen 3's index drawn, and so drawing a later one for 4.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 6
//@ expect: holds
//@ run: check --level R --calls 7
//@ expect: violated witness.kind=client
//@ run: check --against front-back.c --calls enqueue=4,dequeue=3
//@ expect: violated witness.kind=client witness.calls=7
//@ run-full: check --repair --level R --calls 7
//@ expect: violated holds  results[1].rewrite.changes.len=1  results[1].rewrite.minimal=true  results[1].rewrite.verified=true
//@ run-full: check --level R --calls 7 --memory sc
//@ expect: holds
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
            int value = atomic_exchange_explicit(&q->slot[i], 0, memory_order_acquire); /* BUG */
            if (value != 0)
                return value;
        }
    }
}
