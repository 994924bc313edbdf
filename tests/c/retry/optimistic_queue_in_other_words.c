//@ run: check --calls 6 -DSHAPE=0
//@ expect: holds stats.executions=271 stats.blocked=0
//@ run: check --calls 6 -DSHAPE=1
//@ expect: holds stats.executions=271 stats.blocked=0
//@ run: check --calls 6 -DSHAPE=2
//@ expect: holds stats.executions=271 stats.blocked=0
//@ run: check --calls 6 -DSHAPE=3
//@ expect: holds stats.executions=271 stats.blocked=0
//@ run: check --calls 6 -DSHAPE=4
//@ expect: holds stats.executions=271 stats.blocked=0
//@ run: check --calls 6 -DSHAPE=5
//@ expect: holds stats.executions=271 stats.blocked=0
// The optimistic queue with its loops in other words: the same executions. Who finds links missing
// fills them in, which is left to those whose links they are.
#include <stdatomic.h>
#include <stdlib.h>

#ifndef SHAPE
#define SHAPE 0
#endif

#pragma lineal object queue level=R args=independent
#pragma lineal init start()
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

struct node {
    int value;
    _Atomic(struct node *) next, prev;
};

static _Atomic(struct node *) head, tail;

static struct node *make(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&n->prev, NULL, memory_order_relaxed);
    return n;
}

void start(void)
{
    struct node *dummy = make(0);
    atomic_store_explicit(&head, dummy, memory_order_relaxed);
    atomic_store_explicit(&tail, dummy, memory_order_relaxed);
}

static struct node *get(_Atomic(struct node *) *place)
{
    return atomic_load_explicit(place, memory_order_acquire);
}

static int swing(_Atomic(struct node *) *place, struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_release, memory_order_relaxed);
}

/* One attempt: whether the node is last now. */
static int put(struct node *n)
{
    struct node *t = get(&tail);
    atomic_store_explicit(&n->next, t, memory_order_relaxed);
    if (!swing(&tail, t, n))
        return 0;
    atomic_store_explicit(&t->prev, n, memory_order_release);
    return 1;
}

static void mend(struct node *t, struct node *h)
{
    while (t != h) {
        struct node *next = atomic_load_explicit(&t->next, memory_order_relaxed);
        atomic_store_explicit(&next->prev, t, memory_order_release);
        t = next;
    }
}

/* One attempt: whether there is an answer. */
static int take(int *value)
{
    struct node *h = get(&head);
    struct node *t = get(&tail);
    struct node *first = get(&h->prev);
    if (h != get(&head))
        return 0;
    if (h == t) {
        *value = 0;
        return 1;
    }
    if (!first) {
        mend(t, h);
        return 0;
    }
    int found = first->value;
    if (!swing(&head, h, first))
        return 0;
    *value = found;
    return 1;
}

void enqueue(int value)
{
    struct node *n = make(value);
#if SHAPE == 0
    for (;;)
        if (put(n))
            return;
#elif SHAPE == 1
    while (1) {
        if (put(n))
            break;
    }
#elif SHAPE == 2
    int done;
    do
        done = put(n);
    while (!done);
#elif SHAPE == 3
again:
    if (!put(n))
        goto again;
#elif SHAPE == 4
    while (!put(n)) {
    }
#elif SHAPE == 5
    for (;;) {
        if (!put(n))
            continue;
        break;
    }
#endif
}

int dequeue(void)
{
    int value;
#if SHAPE == 0
    for (;;)
        if (take(&value))
            return value;
#elif SHAPE == 1
    while (1) {
        if (take(&value))
            break;
    }
#elif SHAPE == 2
    int done;
    do
        done = take(&value);
    while (!done);
#elif SHAPE == 3
again:
    if (!take(&value))
        goto again;
#elif SHAPE == 4
    while (!take(&value)) {
    }
#elif SHAPE == 5
    for (;;) {
        if (!take(&value))
            continue;
        break;
    }
#endif
    return value;
}
