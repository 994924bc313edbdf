//@ run: verify --memory sc
//@ expect: holds
// A retry loop that writes to a shared node before each try: a spurious failure changes nothing,
// so it need not be explored for ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { int v; struct node *next; };
static struct node nodes[2];
static _Atomic(struct node *) top;

static void *push(void *arg)
{
    struct node *n = &nodes[(long)arg];
    struct node *t = atomic_load(&top);
    do {
        n->next = t;
    } while (!atomic_compare_exchange_weak(&top, &t, n));
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, push, (void *)0);
    pthread_create(&b, 0, push, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    struct node *first = top;
    assert(first && first->next && first->next != first && !first->next->next);
    return 0;
}
