//@ run: robust --calls 4
//@ expect: holds
//@ run: robust --prove
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 4 -D PUSH=acq_rel
//@ expect: holds
//@ run: robust --prove -D PUSH=acq_rel
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 4 -D POP=relaxed
//@ expect: holds
//@ run: robust --prove -D POP=relaxed
//@ expect: holds scope.calls=unbounded
//@ run: robust -D PUSH=relaxed
//@ expect: violated witness.kind=unsafe
//@ run: robust -D LOOK=relaxed
//@ expect: violated witness.kind=unsafe
// Treiber's stack: robust with release at the swap of a push and acquire at the load of a pop.
#include "modes.h"
#include <stdlib.h>

#ifndef PUSH
#define PUSH release
#endif
#ifndef LOOK
#define LOOK acquire
#endif
#ifndef POP
#define POP acq_rel
#endif

#pragma lineal object stack level=none args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == 0

struct node {
    atomic_int value;
    struct node *_Atomic next;
};
static struct node *_Atomic top;

void push(int value)
{
    struct node *mine = malloc(sizeof *mine);
    STORE(mine->value, value, relaxed);
    struct node *old = LOAD(top, relaxed);
    for (;;) {
        STORE(mine->next, old, relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &old, mine, ORDER(PUSH), memory_order_relaxed))
            return;
    }
}

int pop(void)
{
    for (;;) {
        struct node *old = LOAD(top, LOOK);
        if (!old)
            return 0;
        struct node *next = LOAD(old->next, relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &old, next, ORDER(POP), memory_order_relaxed))
            return LOAD(old->value, relaxed);
    }
}
