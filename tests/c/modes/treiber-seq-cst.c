// Treiber's stack with every access seq_cst, written in the short forms: examples/stack/treiber-heap.c
// has the orders that its author chose.
//@ run: check --weaken --calls 4
//@ expect: holds  rewrite.goal=weaken  rewrite.minimal=true  rewrite.verified=true
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
    atomic_store(&s->top, NULL);
}

static int swing(struct stack *s, struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong(&s->top, &from, to);
}

/* Any value but 0. */
void stack_push(struct stack *s, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    struct node *t;
    do {
        t = atomic_load(&s->top);
        atomic_store(&n->next, t);
    } while (!swing(s, t, n));
}

/* 0 when the stack is empty. */
int stack_pop(struct stack *s)
{
    struct node *t;
    do {
        t = atomic_load(&s->top);
        if (t == NULL)
            return 0;
    } while (!swing(s, t, atomic_load(&t->next)));
    return t->value;
}
