//@ run: verify --memory sc
//@ expect: holds
// A node is filled before its address is published; the reader waits for it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int v; struct node *next; };
static _Atomic(struct node *) slot;

static void *writer(void *a)
{
    (void)a;
    struct node *n = malloc(sizeof *n);
    n->v = 42;
    n->next = NULL;
    atomic_store_explicit(&slot, n, memory_order_release);
    return 0;
}

static void *reader(void *a)
{
    (void)a;
    struct node *n;
    while (!(n = atomic_load_explicit(&slot, memory_order_acquire)))
        ;
    assert(n->v == 42 && n->next == NULL);
    free(n);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
