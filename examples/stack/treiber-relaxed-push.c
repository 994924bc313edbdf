//@ run: verify --memory rc11
//@ expect: violated witness.kind=race
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// Treiber's stack with one wrong order: push swings top with a relaxed swap. A pop in another thread
// gets the pointer, but need not see the node filled. See treiber.c.
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
    } while (!atomic_compare_exchange_weak_explicit(&top, &t, n, memory_order_relaxed, /* BUG */
                                                    memory_order_relaxed));
}

/* Returns 0 when the stack is empty. */
static int pop(void)
{
    struct node *t;
    do {
        t = atomic_load_explicit(&top, memory_order_acquire);
        if (t == NULL)
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(&top, &t, t->next, memory_order_relaxed, memory_order_relaxed));
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
