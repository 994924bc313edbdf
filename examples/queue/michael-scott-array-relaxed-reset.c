// The Michael-Scott queue of michael-scott-array.c, with one store too weak: the link of a node
// that is used again is reset by a relaxed store. Another enqueue may then read the new counter and
// still the old tail: it takes the node for the last of the queue and hangs its element behind it,
// though it has left. The element is lost. The two further reads of the algorithm that should
// notice (`tail` again, and the counter) do not: nothing makes them see what came before the reset.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 4
//@ expect: holds
//@ run: check --level R --calls 5
//@ expect: violated witness.kind=client
//@ run: check --level RI --calls 4
//@ expect: violated witness.kind=sync
//@ run: check --repair --level RI --calls 4
//@ expect: violated holds  results[1].rewrite.changes.len=1  results[1].rewrite.minimal=true  results[1].rewrite.verified=true
//@ run: check --level RI --calls 4 --memory sc
//@ expect: holds
#include <stdatomic.h>
#include <stdint.h>

#pragma lineal object queue level=R args=independent
#pragma lineal init queue_init(&queue)
#pragma lineal threads alike
#pragma lineal op enqueue = queue_enqueue(&queue, thread, value)
#pragma lineal op dequeue = queue_dequeue(&queue, thread) -> value, empty if result == 0

enum { THREADS = 10, PER_THREAD = 2, NODES = 2 + THREADS * PER_THREAD };

/* Counter in the upper half, index in the lower; index 0 is no node. */
typedef uint64_t link;

static uint32_t index_of(link l)
{
    return (uint32_t)l;
}

static link next_link(uint32_t index, link old)
{
    return ((old >> 32) + 1) << 32 | index;
}

struct node {
    _Atomic int value;
    _Atomic link next;
};

struct queue {
    _Atomic link head;
    _Atomic link tail;
    struct node node[NODES]; /* node 1 is the first dummy */
    /* Of each thread: nodes it has given back, and how many of its own it never used. */
    uint32_t returned[THREADS][NODES];
    int returns[THREADS];
    int used[THREADS];
};

struct queue queue;

void queue_init(struct queue *q)
{
    atomic_store_explicit(&q->head, 1, memory_order_relaxed);
    atomic_store_explicit(&q->tail, 1, memory_order_relaxed);
}

/* 0 when the thread has none left. */
static uint32_t take_node(struct queue *q, int thread)
{
    if (q->returns[thread] > 0)
        return q->returned[thread][--q->returns[thread]];
    if (q->used[thread] == PER_THREAD)
        return 0;
    return 2 + (uint32_t)(thread * PER_THREAD + q->used[thread]++);
}

static void give_back(struct queue *q, int thread, uint32_t index)
{
    q->returned[thread][q->returns[thread]++] = index;
}

static int swing(_Atomic link *place, link from, link to)
{
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_release, memory_order_relaxed);
}

/* Any value but 0. */
void queue_enqueue(struct queue *q, int thread, int value)
{
    uint32_t mine;
    do {
        mine = take_node(q, thread);
    } while (mine == 0); /* out of nodes: wait, for ever unless this thread dequeues */
    struct node *n = &q->node[mine];
    atomic_store_explicit(&n->value, value, memory_order_relaxed);
    link old = atomic_load_explicit(&n->next, memory_order_relaxed);
    atomic_store_explicit(&n->next, next_link(0, old), memory_order_relaxed);
    for (;;) {
        link t = atomic_load_explicit(&q->tail, memory_order_acquire);
        struct node *last = &q->node[index_of(t)];
        link next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (t != atomic_load_explicit(&q->tail, memory_order_acquire))
            continue;
        if (index_of(next) != 0) { /* tail lags behind: help */
            swing(&q->tail, t, next_link(index_of(next), t));
            continue;
        }
        if (swing(&last->next, next, next_link(mine, next))) {
            swing(&q->tail, t, next_link(mine, t)); /* if this fails, someone has helped us */
            return;
        }
    }
}

/* 0 when the queue is empty. */
int queue_dequeue(struct queue *q, int thread)
{
    for (;;) {
        link h = atomic_load_explicit(&q->head, memory_order_acquire);
        link t = atomic_load_explicit(&q->tail, memory_order_acquire);
        link next = atomic_load_explicit(&q->node[index_of(h)].next, memory_order_acquire);
        if (h != atomic_load_explicit(&q->head, memory_order_acquire))
            continue; /* the three reads do not belong together */
        if (index_of(h) == index_of(t)) {
            if (index_of(next) == 0)
                return 0;
            swing(&q->tail, t, next_link(index_of(next), t));
            continue;
        }
        int value = atomic_load_explicit(&q->node[index_of(next)].value, memory_order_relaxed);
        if (swing(&q->head, h, next_link(index_of(next), h))) {
            give_back(q, thread, index_of(h));
            return value;
        }
    }
}
