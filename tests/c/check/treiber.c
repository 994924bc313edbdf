//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 3 --level RI
//@ expect: violated  witness.kind=sync  witness.calls=3
// Treiber's stack: relaxed links, published by release.
#include <stdatomic.h>
#include <stdlib.h>

#pragma lineal object stack level=R args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == -1

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    struct node *t = atomic_load_explicit(&top, memory_order_acquire);
    do {
        n->next = t;
    } while (!atomic_compare_exchange_strong_explicit(&top, &t, n, memory_order_release, memory_order_acquire));
}

int pop(void) {
    struct node *t = atomic_load_explicit(&top, memory_order_acquire);
    while (t && !atomic_compare_exchange_strong_explicit(&top, &t, t->next, memory_order_release, memory_order_acquire)) {
    }
    return t ? t->value : -1;
}
