//@ run: robust --calls 4
//@ expect: holds
//@ run: robust --prove
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 4 -D LEAN
//@ expect: holds
//@ run: robust --prove -D LEAN
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 4 -D LEAN -D FAIL=relaxed
//@ expect: violated witness.kind=order
//@ run: robust --calls 4 -D LOOK=relaxed
//@ expect: violated witness.kind=unsafe
// The queue of Michael and Scott: robust if its loads acquire, also those of a compare-and-swap that
// fails. If that one is relaxed, whoever finds `tail` moved on by others knows that more was put into
// the queue, and a dequeue that does not look at `tail` may then find it empty.
#include "modes.h"
#include <stdlib.h>

#ifndef LOOK
#define LOOK acquire
#endif
#ifndef FAIL
#define FAIL acquire
#endif

#pragma lineal object queue level=none args=independent
#pragma lineal init start()
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

struct node {
    atomic_int value;
    struct node *_Atomic next;
};
static struct node *_Atomic head, *_Atomic tail;

static int swap(struct node *_Atomic *where, struct node *old, struct node *new)
{
    return atomic_compare_exchange_strong_explicit(where, &old, new, memory_order_acq_rel, ORDER(FAIL));
}

void start(void)
{
    struct node *dummy = malloc(sizeof *dummy);
    atomic_init(&dummy->next, 0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
}

void enqueue(int value)
{
    struct node *mine = malloc(sizeof *mine);
    STORE(mine->value, value, relaxed);
    STORE(mine->next, 0, relaxed);
    for (;;) {
        struct node *last = LOAD(tail, LOOK);
        struct node *next = LOAD(last->next, LOOK);
        if (next) {
            swap(&tail, last, next);
            continue;
        }
        if (swap(&last->next, 0, mine)) {
            swap(&tail, last, mine);
            return;
        }
    }
}

int dequeue(void)
{
    for (;;) {
        struct node *first = LOAD(head, LOOK);
#ifndef LEAN
        struct node *last = LOAD(tail, LOOK);
#endif
        struct node *next = LOAD(first->next, LOOK);
        if (!next)
            return 0;
#ifndef LEAN
        if (first == last) {
            swap(&tail, last, next);
            continue;
        }
#endif
        int value = LOAD(next->value, relaxed);
        if (swap(&head, first, next))
            return value;
    }
}
