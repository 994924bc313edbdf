// Michael and Scott's queue, nodes from the heap.
//
// What it is. A linked list with a dummy node in front. `head` points at the dummy, the first
// element is in the node behind it. `tail` points at the last node or, for a moment, at the one
// before: an enqueue first links its node and then moves `tail`, and whoever finds `tail` lagging
// moves it on first.
// From: Michael and Scott, "Simple, Fast, and Practical Non-Blocking and Blocking Concurrent Queue
// Algorithms", PODC 1996.
//
// Linearization points. Enqueue: the swap that links the node. Dequeue: the swap that moves
// `head`; when empty, the read of the dummy's `next` that found nothing (it counts once `head` has
// been seen unchanged).
//
// Why these access modes are enough.
// - Linking releases the node's contents; every read of `next` acquires them before following.
// - `head` and `tail` lead to nodes as well, so moving them releases and reading them acquires.
//   As a result each enqueue happens before the next one (it acquires `tail` or the link that
//   ends in the node it appends to), and each dequeue before the next.
// - No swap need acquire: each one compares with a pointer that was read with acquire, and a node
//   enters each place once, so the swap reads the very write that the read saw.
// - The new node's own `next` is still private when it is set, so relaxed will do.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 4
//@ expect: holds
//@ run: check --level RI --calls 4
//@ expect: holds
//@ run: check --level RID --calls 4
//@ expect: holds
//@ run: robust --calls 3
//@ expect: holds
//
// Nodes are never freed: a slower thread may still hold one. So no address is used twice, and the
// counters of the original are not needed here; michael-scott-array.c has them.
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#pragma lineal object queue level=R args=independent
#pragma lineal init queue_init(&queue)
#pragma lineal op enqueue = queue_enqueue(&queue, value)
#pragma lineal op dequeue = queue_dequeue(&queue) -> value, empty if result == 0

struct node {
    int value;
    _Atomic(struct node *) next;
};

struct queue {
    _Atomic(struct node *) head;
    _Atomic(struct node *) tail;
};

struct queue queue;

static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
    return n;
}

void queue_init(struct queue *q)
{
    struct node *dummy = new_node(0);
    atomic_store_explicit(&q->head, dummy, memory_order_relaxed);
    atomic_store_explicit(&q->tail, dummy, memory_order_relaxed);
}

/* Release if it succeeds; a failure tells us nothing that we use. */
static int swing(_Atomic(struct node *) *place, struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_release, memory_order_relaxed);
}

/* Any value but 0. */
void queue_enqueue(struct queue *q, int value)
{
    struct node *n = new_node(value);
    for (;;) {
        struct node *t = atomic_load_explicit(&q->tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&t->next, memory_order_acquire);
        if (t != atomic_load_explicit(&q->tail, memory_order_acquire))
            continue;
        if (next != NULL) { /* tail lags behind: help */
            swing(&q->tail, t, next);
            continue;
        }
        if (swing(&t->next, NULL, n)) {
            swing(&q->tail, t, n); /* if this fails, someone has helped us */
            return;
        }
    }
}

/* 0 when the queue is empty. */
int queue_dequeue(struct queue *q)
{
    for (;;) {
        struct node *h = atomic_load_explicit(&q->head, memory_order_acquire);
        struct node *t = atomic_load_explicit(&q->tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&h->next, memory_order_acquire);
        if (h != atomic_load_explicit(&q->head, memory_order_acquire))
            continue; /* the three reads do not belong together */
        if (h == t) {
            if (next == NULL)
                return 0;
            swing(&q->tail, t, next);
            continue;
        }
        int value = next->value; /* before the swap: afterwards the node is the new dummy */
        if (swing(&q->head, h, next))
            return value;
    }
}
