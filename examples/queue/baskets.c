// The baskets queue.
//
// What it is. A list like Michael and Scott's, but an enqueue that loses the race for the last
// place does not start over: all who lost the same race overlap, so their order is free, and it
// pushes its node in right behind the same predecessor (into the "basket"). A dequeue takes an
// element by marking the link that leads to it, lowest bit, and moves `head` only now and then.
// From: Hoffman, Shalev and Shavit, "The Baskets Queue", OPODIS 2007.
//
// Linearization points. Dequeue: the swap that marks the link; when empty, the read of the last
// node's link that found nothing. Enqueue at the tail: the swap that links; into a basket: just
// before the enqueue of the node that it was put in front of, which overlaps it.
//
// Why these access modes are enough, and for what. All swaps are acquire-release and all reads of
// links acquire, the strongest short of sc. An element's path to its dequeue is a chain of such
// links: level R. It is not enough for RI, and no stronger mode would be: the node that entered
// the basket last leaves first, but it is the one that has seen the other enqueue, not the other
// way round.
//
// Verdicts, under rc11 unless a line says otherwise:
// check: --level R  --calls 4 -> holds
// check: --level RI --calls 2 -> holds
// check: --level RI --calls 3 -> violated  (two enqueues in one basket and a dequeue, or three enqueues)
// Golovin, Kokologiannakis and Vafeiadis (POPL 2025) report 4 calls for theirs, which they do not
// print.
//
// Nodes are never freed, so the tags of the original are left out. Where it uses a tag to tell
// that a basket is still open, we ask that `tail` has not moved and the link is unmarked.
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#pragma lineal object queue level=R args=independent
#pragma lineal init queue_init(&queue)
#pragma lineal op enqueue = queue_enqueue(&queue, value)
#pragma lineal op dequeue = queue_dequeue(&queue) -> value, empty if result == 0

enum { TAKEN = 1, MAX_HOPS = 1 };

struct node {
    int value;
    _Atomic uintptr_t next; /* a node's address, plus TAKEN when the element there has left */
};

struct queue {
    _Atomic(struct node *) head;
    _Atomic(struct node *) tail;
};

struct queue queue;

static struct node *node_of(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)TAKEN);
}

static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_store_explicit(&n->next, 0, memory_order_relaxed);
    return n;
}

void queue_init(struct queue *q)
{
    struct node *dummy = new_node(0);
    atomic_store_explicit(&q->head, dummy, memory_order_relaxed);
    atomic_store_explicit(&q->tail, dummy, memory_order_relaxed);
}

static struct node *look(_Atomic(struct node *) *place)
{
    return atomic_load_explicit(place, memory_order_acquire);
}

static uintptr_t next_of(struct node *n)
{
    return atomic_load_explicit(&n->next, memory_order_acquire);
}

static int swing(_Atomic(struct node *) *place, struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_acq_rel, memory_order_acquire);
}

static int relink(struct node *n, uintptr_t from, uintptr_t to)
{
    return atomic_compare_exchange_strong_explicit(&n->next, &from, to, memory_order_acq_rel, memory_order_acquire);
}

/* Moves a lagging tail from `t`, whose link is `next`, to the last node. */
static void move_tail(struct queue *q, struct node *t, uintptr_t next)
{
    struct node *last = node_of(next);
    for (uintptr_t more = next_of(last); more != 0 && look(&q->tail) == t; more = next_of(last))
        last = node_of(more);
    swing(&q->tail, t, last);
}

/* Any value but 0. */
void queue_enqueue(struct queue *q, int value)
{
    struct node *n = new_node(value);
    for (;;) {
        struct node *t = look(&q->tail);
        uintptr_t next = next_of(t);
        if (t != look(&q->tail))
            continue;
        if (next != 0) {
            move_tail(q, t, next);
            continue;
        }
        atomic_store_explicit(&n->next, 0, memory_order_relaxed);
        if (relink(t, 0, (uintptr_t)n)) {
            swing(&q->tail, t, n);
            return;
        }
        /* We lost against an overlapping enqueue: into its basket, while that is open. */
        next = next_of(t);
        while (look(&q->tail) == t && !(next & TAKEN)) {
            atomic_store_explicit(&n->next, next, memory_order_relaxed);
            if (relink(t, next, (uintptr_t)n))
                return;
            next = next_of(t);
        }
    }
}

/* 0 when the queue is empty. */
int queue_dequeue(struct queue *q)
{
    for (;;) {
        struct node *h = look(&q->head);
        struct node *t = look(&q->tail);
        uintptr_t next = next_of(h);
        if (h != look(&q->head))
            continue;
        if (h == t) {
            if (next == 0)
                return 0;
            move_tail(q, t, next);
            continue;
        }
        struct node *at = h; /* the last node known to have left */
        int hops = 0;
        while ((next & TAKEN) && at != t && look(&q->head) == h) {
            at = node_of(next);
            next = next_of(at);
            hops++;
        }
        if (h != look(&q->head))
            continue;
        if (at == t) { /* all taken up to here */
            swing(&q->head, h, at);
            continue;
        }
        int value = node_of(next)->value;
        if (relink(at, next, next | TAKEN)) {
            if (hops >= MAX_HOPS)
                swing(&q->head, h, node_of(next));
            return value;
        }
    }
}
