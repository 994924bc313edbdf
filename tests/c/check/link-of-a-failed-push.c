//@ run: check --calls 4
//@ expect: violated witness.kind=client witness.calls=4
//@ run: check --calls 4 --memory ra -D BACK
//@ expect: violated witness.kind=client
//@ run: check --calls 4 --no-reduction iterations
//@ expect: violated witness.kind=client
//@ run: check --calls 3
//@ expect: holds
//@ run: check --calls 4 --memory sc
//@ expect: holds
// Treiber's stack whose release fence stands before the link is written: the node and the mark in its link
// are visible to whoever finds it, the link that was written last is not. A pop waits while it finds the
// mark, but may take a link that a failed push has written: what was pushed in between is lost.
// From: a tester's programs.
#include <stdatomic.h>
#include <stdlib.h>

#pragma lineal object stack level=none args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == -1

#define MARK ((struct node *)1)
#define relaxed memory_order_relaxed

struct node {
    int value;
    _Atomic(struct node *) next;
};
static _Atomic(struct node *) top;

void push(int value)
{
    struct node *n = malloc(sizeof *n), *t;
    n->value = value;
    atomic_init(&n->next, MARK);
    atomic_thread_fence(memory_order_release);
    do {
        t = atomic_load_explicit(&top, memory_order_acquire);
        atomic_store_explicit(&n->next, t, relaxed);
#ifdef BACK
        t = atomic_load_explicit(&n->next, relaxed);
#endif
    } while (!atomic_compare_exchange_strong_explicit(&top, &t, n, relaxed, relaxed));
}

int pop(void)
{
    struct node *t, *next;
    do {
        t = atomic_load_explicit(&top, memory_order_acquire);
        if (!t)
            return -1;
        while ((next = atomic_load_explicit(&t->next, relaxed)) == MARK)
            ;
    } while (!atomic_compare_exchange_strong_explicit(&top, &t, next, memory_order_acq_rel, relaxed));
    return t->value;
}
