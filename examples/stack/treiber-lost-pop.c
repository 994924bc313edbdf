//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
// Treiber's stack with a seeded bug: pop stores the new top instead of swapping it in, so it does
// not notice that another thread moved top since it looked. See treiber.c for the real one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value; /* plain: only touched before the node is shared, or by readers that acquired it */
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    struct node *t = atomic_load_explicit(&top, memory_order_relaxed);
    do {
        n->next = t;
    } while (!atomic_compare_exchange_weak_explicit(&top, &t, n, memory_order_release, memory_order_relaxed));
}

/* Returns 0 when the stack is empty. */
static int pop(void)
{
    struct node *t = atomic_load_explicit(&top, memory_order_acquire);
    if (t == NULL)
        return 0;
    atomic_store_explicit(&top, t->next, memory_order_release); /* BUG: top may have moved */
    return t->value;
}

/* The client: two threads push one element each and then pop one each. */
static int popped[2];

static void *worker(void *arg)
{
    int me = (int)(long)arg;
    push(me + 1);
    popped[me] = pop();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);

    /* Each thread pushed before it popped, so neither can find the stack empty ... */
    assert(popped[0] != 0 && popped[1] != 0);
    /* ... and no element may be popped twice or stay behind. */
    assert(popped[0] + popped[1] == 3);
    assert(pop() == 0);
    return 0;
}
