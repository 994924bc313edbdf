//@ run: check --calls 2
//@ expect: violated  witness.kind=unsafe  witness.calls=2
// A stack whose top is no atomic variable.
#include <stdlib.h>
#pragma lineal object stack args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == -1
struct node { int value; struct node *next; };
static struct node *top;
void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = top;
    top = n;
}
int pop(void) {
    struct node *t = top;
    if (!t) return -1;
    top = t->next;
    return t->value;
}
