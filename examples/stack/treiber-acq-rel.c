// Treiber's stack with acquire-release swaps.
//
// What it is. treiber-heap.c, except that every swap of `top` acquires as well as releases.
// From: Treiber, 1986; see there.
//
// Linearization points. The swap of `top`; for a pop that finds nothing, the read of `top`.
//
// Why these access modes are enough. Each swap acquires from the one it follows and releases to
// the next, so every push and every successful pop happens before all that come later: the order
// of the swaps is known to everyone, which is all that RI and RID ask. The read of `top` still
// acquires: a pop that finds nothing, and one that reads `next` before its swap, depend on it.
//
// Verdicts, under rc11 unless a line says otherwise:
// check: --level R   --calls 5 -> holds
// check: --level RI  --calls 5 -> holds
// check: --level RID --calls 5 -> holds
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
    return atomic_compare_exchange_strong_explicit(&s->top, &from, to, memory_order_acq_rel, memory_order_relaxed);
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
