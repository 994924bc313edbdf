// Treiber's stack, nodes from the heap.
//
// What it is. A linked list whose top is moved by compare-and-swap.
// From: Treiber, "Systems Programming: Coping with Parallelism", IBM Research Report RJ 5118, 1986.
//
// Linearization points. The swap of `top`; for a pop that finds nothing, the read of `top`.
//
// Why these access modes are enough. A push releases its node by the swap, a pop acquires it by
// the read of `top`. All changes of `top` are swaps, so reading any later one acquires every
// earlier push too (a release sequence); `next` may be relaxed. That is level R.
// It is not level RI. A push swaps without acquiring, so it has only seen what its *read* of
// `top` saw, and null looks the same before the first push and after the last pop:
//     push 1 || pop -> 1 || push 2, which read the first null and swaps the second one
// knows nothing of push 1. With acquire-release swaps (treiber-acq-rel.c) or with counters
// (treiber-array.c) it does.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run-full: check --level R --calls 5
//@ expect: holds
//@ run: check --level R --calls push=2,pop=1
//@ expect: holds scope.calls=3
//@ run: check --level RI --calls 2
//@ expect: holds
//@ run: check --level RI --calls 3
//@ expect: violated witness.kind=sync
//@ run: robust --calls 3
//@ expect: holds
//@ note: see above
//
// Nodes are never freed: a slower thread may still look at one.
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#pragma lineal object stack level=R args=independent
#pragma lineal init stack_init(&stack)
#pragma lineal op push = stack_push(&stack, value)
#pragma lineal op pop = stack_pop(&stack) -> value, empty if result == 0

struct node {
    int value;
    _Atomic(struct node *) next;
};

struct stack {
    _Atomic(struct node *) top;
};

struct stack stack;

void stack_init(struct stack *s)
{
    atomic_store_explicit(&s->top, NULL, memory_order_relaxed);
}

static int swing(struct stack *s, struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(&s->top, &from, to, memory_order_release, memory_order_relaxed);
}

/* Any value but 0. */
void stack_push(struct stack *s, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    struct node *t;
    do {
        t = atomic_load_explicit(&s->top, memory_order_acquire);
        atomic_store_explicit(&n->next, t, memory_order_relaxed);
    } while (!swing(s, t, n));
}

/* 0 when the stack is empty. */
int stack_pop(struct stack *s)
{
    struct node *t;
    do {
        t = atomic_load_explicit(&s->top, memory_order_acquire);
        if (t == NULL)
            return 0;
    } while (!swing(s, t, atomic_load_explicit(&t->next, memory_order_relaxed)));
    return t->value;
}
