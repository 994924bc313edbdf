// The front-and-back queue with two words instead of one: wrong.
//
// What it is. As front-back.c, but `front` and `back` are separate, and a dequeue reads front and
// then back to see whether there is anything to take.
// From: a buggy variant of the queue of Example 2.2 in Golovin, Kokologiannakis and Vafeiadis,
// POPL 2025. Their Figure 7 lists one (4 calls) without saying what is wrong in it; this is ours.
//
// What goes wrong. Both reads are relaxed, so a dequeue that sees how far front has come need not
// see the back that went with it: it may combine a new front with an old back and find the queue
// empty although an element was added before the call that moved front:
//     enqueue 1; dequeue -> empty   ||   enqueue 2; dequeue -> 1
// The second dequeue took 1, so front is 1. The first one sees that, but still the back it made
// itself, also 1. Yet 2 was in the queue before 1 left it.
// Under sc the order of the two reads makes this impossible, and releasing front's swap and
// acquiring front would do so under rc11.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 3
//@ expect: holds
//@ run: check --level R --calls 4
//@ expect: violated witness.kind=client
//@ run: check --repair --level R --calls 4
//@ expect: violated holds  results[1].rewrite.changes.len=2  results[1].rewrite.minimal=true  results[1].rewrite.verified=true
//@ run: check --level R --calls 4 --memory sc
//@ expect: holds
#include <stdatomic.h>

#pragma lineal object queue level=R args=independent
#pragma lineal init queue_init(&queue)
#pragma lineal op enqueue = queue_enqueue(&queue, value)
#pragma lineal op dequeue = queue_dequeue(&queue) -> value, empty if result == 0

enum { SLOTS = 10 };

struct queue {
    _Atomic int front;
    _Atomic int back;
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
    int k = atomic_fetch_add_explicit(&q->back, 1, memory_order_relaxed);
    atomic_store_explicit(&q->slot[k], value, memory_order_release);
}

/* 0 when the queue is empty. */
int queue_dequeue(struct queue *q)
{
    int front;
    do {
        front = atomic_load_explicit(&q->front, memory_order_relaxed); /* BUG: says nothing about back */
        if (front >= atomic_load_explicit(&q->back, memory_order_relaxed))
            return 0;
    } while (!atomic_compare_exchange_strong_explicit(&q->front, &front, front + 1, memory_order_relaxed,
                                                      memory_order_relaxed));
    int value;
    do {
        value = atomic_load_explicit(&q->slot[front], memory_order_acquire);
    } while (value == 0); /* the enqueue that drew this slot is about to fill it */
    return value;
}
