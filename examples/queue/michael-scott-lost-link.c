//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
// Michael and Scott's queue with a seeded bug: enqueue links its node by a store instead of a
// compare-and-swap, so two enqueuers can overwrite each other's link. See michael-scott.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value; /* plain: written before the node is linked, only read afterwards */
    _Atomic(struct node *) next;
};

static struct node nodes[4]; /* nodes[0] is the first dummy */
static _Atomic(struct node *) head = &nodes[0];
static _Atomic(struct node *) tail = &nodes[0];

static void enqueue(struct node *n, int value)
{
    n->value = value;
    atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
    for (;;) {
        struct node *t = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&t->next, memory_order_acquire);
        if (next != NULL) { /* tail lags behind: help */
            atomic_compare_exchange_strong_explicit(&tail, &t, next, memory_order_release, memory_order_relaxed);
            continue;
        }
        atomic_store_explicit(&t->next, n, memory_order_release); /* BUG: another link may be there by now */
        atomic_compare_exchange_strong_explicit(&tail, &t, n, memory_order_release, memory_order_relaxed);
        return;
    }
}

/* Returns 0 when the queue is empty. */
static int dequeue(void)
{
    for (;;) {
        struct node *h = atomic_load_explicit(&head, memory_order_acquire);
        struct node *t = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *first = atomic_load_explicit(&h->next, memory_order_acquire);
        if (h != atomic_load_explicit(&head, memory_order_acquire))
            continue; /* the three reads do not belong together */
        if (first == NULL)
            return 0;
        if (h == t) { /* an enqueuer has linked its node but not moved tail yet */
            atomic_compare_exchange_strong_explicit(&tail, &t, first, memory_order_release, memory_order_relaxed);
            continue;
        }
        int value = first->value; /* before the swap: afterwards the node is the new dummy */
        if (atomic_compare_exchange_strong_explicit(&head, &h, first, memory_order_release, memory_order_relaxed))
            return value;
    }
}

/* The client: one thread enqueues 1 and 3, the other enqueues 2 and takes one element. */
static int taken;

static void *first_thread(void *arg)
{
    (void)arg;
    enqueue(&nodes[1], 1);
    enqueue(&nodes[3], 3);
    return NULL;
}

static void *second_thread(void *arg)
{
    (void)arg;
    enqueue(&nodes[2], 2);
    taken = dequeue();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first_thread, NULL);
    pthread_create(&b, NULL, second_thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);

    /* In the order in which they leave: three different elements, and 1 before 3. */
    int out[3] = { taken, dequeue(), dequeue() };
    int where[4] = { -1, -1, -1, -1 };
    for (int i = 0; i < 3; i++)
        where[out[i]] = i;
    assert(where[1] >= 0 && where[2] >= 0 && where[3] >= 0);
    assert(where[1] < where[3]);
    assert(dequeue() == 0);
    return 0;
}
