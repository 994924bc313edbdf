// Michael and Scott's queue with every access seq_cst: examples/queue/michael-scott-heap.c has the
// orders that its author chose.
//@ run: check --weaken --calls 3
//@ expect: holds  rewrite.goal=weaken  rewrite.minimal=true  rewrite.verified=true
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
    atomic_store_explicit(&n->next, NULL, memory_order_seq_cst);
    return n;
}

void queue_init(struct queue *q)
{
    struct node *dummy = new_node(0);
    atomic_store_explicit(&q->head, dummy, memory_order_seq_cst);
    atomic_store_explicit(&q->tail, dummy, memory_order_seq_cst);
}

static int swing(_Atomic(struct node *) *place, struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_seq_cst, memory_order_seq_cst);
}

/* Any value but 0. */
void queue_enqueue(struct queue *q, int value)
{
    struct node *n = new_node(value);
    for (;;) {
        struct node *t = atomic_load_explicit(&q->tail, memory_order_seq_cst);
        struct node *next = atomic_load_explicit(&t->next, memory_order_seq_cst);
        if (t != atomic_load_explicit(&q->tail, memory_order_seq_cst))
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
        struct node *h = atomic_load_explicit(&q->head, memory_order_seq_cst);
        struct node *t = atomic_load_explicit(&q->tail, memory_order_seq_cst);
        struct node *next = atomic_load_explicit(&h->next, memory_order_seq_cst);
        if (h != atomic_load_explicit(&q->head, memory_order_seq_cst))
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
