// The optimistic queue.
//
// What it is. A list that new elements join with a single swap, of `tail`. The new node points
// back at the former last one (`next`, set before the swap, always right); the pointer in the
// direction in which elements leave (`prev`) is stored afterwards, in the hope that nobody needs
// it before. A dequeue that finds it missing walks from the tail to the head and fills it in.
// From: Ladan-Mozes and Shavit, "An Optimistic Approach to Lock-Free FIFO Queues", DISC 2004.
//
// Linearization points. Enqueue: the swap of `tail`. Dequeue: the swap of `head`; when empty, the
// read of `tail`.
//
// Why these access modes are enough.
// - Swapping `tail` releases the node. As all changes of `tail` are swaps, whoever acquires it
//   acquires every earlier node as well (a release sequence), so `next` may be relaxed.
// - A dequeue reaches its node through `prev`, stored with release and read with acquire.
// - `head` is released so that the next dequeue, which acquires it, has seen all that this one
//   saw; in particular a `tail` at least as new, so a walk from `tail` meets `head`.
// Several threads may store the same `prev`, unordered: they store the same pointer.
//
// Verdicts, under rc11 unless a line says otherwise:
// check: --level R   --calls 4 -> holds
// check: --level RI  --calls 4 -> holds
// check: --level RID --calls 4 -> holds
//
// Nodes are never freed, so the tags of the original are left out.
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#pragma lineal object queue level=R args=independent
#pragma lineal init queue_init(&queue)
#pragma lineal op enqueue = queue_enqueue(&queue, value)
#pragma lineal op dequeue = queue_dequeue(&queue) -> value, empty if result == 0

struct node {
    int value;
    _Atomic(struct node *) next; /* towards the head */
    _Atomic(struct node *) prev; /* towards the tail */
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
    atomic_store_explicit(&n->prev, NULL, memory_order_relaxed);
    return n;
}

void queue_init(struct queue *q)
{
    struct node *dummy = new_node(0);
    atomic_store_explicit(&q->head, dummy, memory_order_relaxed);
    atomic_store_explicit(&q->tail, dummy, memory_order_relaxed);
}

static int swing(_Atomic(struct node *) *place, struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_release, memory_order_relaxed);
}

/* Any value but 0. */
void queue_enqueue(struct queue *q, int value)
{
    struct node *n = new_node(value);
    struct node *t;
    do {
        t = atomic_load_explicit(&q->tail, memory_order_acquire);
        atomic_store_explicit(&n->next, t, memory_order_relaxed);
    } while (!swing(&q->tail, t, n));
    atomic_store_explicit(&t->prev, n, memory_order_release);
}

/* Fills in `prev` of every node from `t` back to `h`. */
static void mend(struct node *t, struct node *h)
{
    while (t != h) {
        struct node *next = atomic_load_explicit(&t->next, memory_order_relaxed);
        atomic_store_explicit(&next->prev, t, memory_order_release);
        t = next;
    }
}

/* 0 when the queue is empty. */
int queue_dequeue(struct queue *q)
{
    for (;;) {
        struct node *h = atomic_load_explicit(&q->head, memory_order_acquire);
        struct node *t = atomic_load_explicit(&q->tail, memory_order_acquire);
        struct node *first = atomic_load_explicit(&h->prev, memory_order_acquire);
        if (h != atomic_load_explicit(&q->head, memory_order_acquire))
            continue; /* the three reads do not belong together */
        if (h == t)
            return 0;
        if (first == NULL) {
            mend(t, h);
            continue;
        }
        int value = first->value;
        if (swing(&q->head, h, first))
            return value;
    }
}
