//@ run: check -DSHAPE=0 --calls 6
//@ expect: holds stats.executions=126 stats.blocked=0
//@ run: check -DSHAPE=1 --calls 6
//@ expect: holds stats.executions=126 stats.blocked=0
//@ run: check -DSHAPE=2 --calls 6
//@ expect: holds stats.executions=126 stats.blocked=0
//@ run: check -DSHAPE=3 --calls 6
//@ expect: holds stats.executions=126 stats.blocked=0
//@ run: check -DSHAPE=4 --calls 6
//@ expect: holds stats.executions=126 stats.blocked=0
//@ run: check -DSHAPE=5 --calls 6
//@ expect: holds stats.executions=126 stats.blocked=0
// The Michael–Scott queue with its loops in other words: the same executions.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#pragma lineal object queue level=R args=independent
#pragma lineal init start()
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *make(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
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

static bool swing(_Atomic(struct node *) *place, struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_release, memory_order_relaxed);
}

/* One attempt: whether the node is linked. */
static bool put(struct node *n)
{
    struct node *t = get(&tail);
    struct node *next = get(&t->next);
    if (t != get(&tail))
        return false;
    if (next) {
        swing(&tail, t, next);
        return false;
    }
    if (!swing(&t->next, NULL, n))
        return false;
    swing(&tail, t, n);
    return true;
}

/* One attempt: whether there is an answer. */
static bool take(int *value)
{
    struct node *h = get(&head);
    struct node *t = get(&tail);
    struct node *next = get(&h->next);
    if (h != get(&head))
        return false;
    if (h == t) {
        if (!next) {
            *value = 0;
            return true;
        }
        swing(&tail, t, next);
        return false;
    }
    int found = next->value;
    if (!swing(&head, h, next))
        return false;
    *value = found;
    return true;
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
    bool done;
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
    return value;
#elif SHAPE == 2
    bool done;
    do
        done = take(&value);
    while (!done);
    return value;
#elif SHAPE == 3
again:
    if (!take(&value))
        goto again;
    return value;
#elif SHAPE == 4
    while (!take(&value)) {
    }
    return value;
#elif SHAPE == 5
    for (;;) {
        if (!take(&value))
            continue;
        break;
    }
    return value;
#endif
}
