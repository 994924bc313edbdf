//@ run: robust --libraries stack.c
//@ expect: violated witness.kind=order
//@ run: robust --libraries stack.c -D FENCED
//@ expect: holds
//@ run: robust --libraries stack.c -D ONE
//@ expect: holds
// Two stacks of one type are two libraries: a thread that fills the one and looks into the other needs a
// fence. With one stack (ONE) there is nothing to separate.
#include "stack.h"
#include <pthread.h>

static struct stack a, b;
#ifdef ONE
#define B a
#else
#define B b
#endif

static void move(struct stack *from, struct stack *to)
{
    push(to, 1);
#ifdef FENCED
    FENCE(seq_cst);
#endif
    pop(from);
}

static void *other(void *unused)
{
    move(&a, &B);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    move(&B, &a);
    pthread_join(t, 0);
}
