// Stacks that share their code: each is a library.
#include "../modes.h"
struct node {
    atomic_int value;
    struct node *_Atomic next;
};
struct stack {
    struct node *_Atomic top;
};
void push(struct stack *s, int value);
int pop(struct stack *s);
