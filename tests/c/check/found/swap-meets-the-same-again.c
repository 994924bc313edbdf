//@ run: check --calls push=2,pop=2
//@ expect: holds scope.assumptions[2]="loops that wait for another thread end"
//@ from: of a plain Treiber stack the verdict said that some call waits for ever
#include <stdatomic.h>
#include <stdlib.h>
#pragma lineal object stack level=R args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == 0
struct node { int value; struct node *next; };
static _Atomic(struct node *) top;
void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        ;
}
int pop(void)
{
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
        ;
    return n ? n->value : 0;
}
