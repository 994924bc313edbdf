//@ run: robust --calls 4
//@ expect: holds
// Treiber's stack, with the stack as an argument.
#include "stack.h"
#include <stdlib.h>

#pragma lineal object stack level=none args=independent
#pragma lineal op push = push(&example, value)
#pragma lineal op pop = pop(&example) -> value, empty if result == 0

static struct stack example;

void push(struct stack *s, int value)
{
    struct node *mine = malloc(sizeof *mine);
    STORE(mine->value, value, relaxed);
    struct node *old = LOAD(s->top, relaxed);
    for (;;) {
        STORE(mine->next, old, relaxed);
        if (atomic_compare_exchange_strong_explicit(&s->top, &old, mine, memory_order_release,
                                                    memory_order_relaxed))
            return;
    }
}

int pop(struct stack *s)
{
    for (;;) {
        struct node *old = LOAD(s->top, acquire);
        if (!old)
            return 0;
        struct node *next = LOAD(old->next, relaxed);
        if (atomic_compare_exchange_strong_explicit(&s->top, &old, next, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return LOAD(old->value, relaxed);
    }
}
