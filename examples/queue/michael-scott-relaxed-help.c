//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// Michael and Scott's queue with one wrong order: an enqueue that helps to move tail does so with a
// relaxed swap, as if it had nothing of its own to publish. A third enqueue then reaches a node whose
// `next` it sees as it was before the node was prepared; it links itself there, and the preparation
// overwrites the link. See michael-scott.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value; /* plain: written before the node is linked, only read afterwards */
    _Atomic(struct node *) next;
};

static struct node nodes[5]; /* nodes[0] is the first dummy */
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
            atomic_compare_exchange_strong_explicit(&tail, &t, next, memory_order_relaxed, memory_order_relaxed); /* BUG */
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&t->next, &next, n, memory_order_release,
                                                    memory_order_relaxed)) {
            /* If this fails, someone has helped us. */
            atomic_compare_exchange_strong_explicit(&tail, &t, n, memory_order_release, memory_order_relaxed);
            return;
        }
    }
}

/* Returns 0 when the queue is empty. */
static int dequeue(void)
{
    for (;;) {
        struct node *h = atomic_load_explicit(&head, memory_order_acquire);
        struct node *t = atomic_load_explicit(&tail, memory_order_relaxed);
        struct node *first = atomic_load_explicit(&h->next, memory_order_acquire);
        if (h != atomic_load_explicit(&head, memory_order_relaxed))
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

/* The client: one thread enqueues 1 and 3, another enqueues 2 and takes one element; a third does
   the same with 4, or only takes. */
static int taken[3];

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
    taken[0] = dequeue();
    return NULL;
}

static void *third_thread(void *arg)
{
    (void)arg;
#ifdef THIRD_ONLY_TAKES
    taken[2] = dequeue();
#else
    enqueue(&nodes[4], 4);
#endif
    taken[1] = dequeue();
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, first_thread, NULL);
    pthread_create(&b, NULL, second_thread, NULL);
    pthread_create(&c, NULL, third_thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);

#ifndef THIRD_ONLY_TAKES
    /* Two have enqueued before they took, so neither can find the queue empty. */
    assert(taken[0] != 0 && taken[1] != 0);
#endif
    /* Every element leaves once, and 1 before 3. */
    int times[5] = { 0 }, v;
    for (int i = 0; i < 3; i++)
        times[taken[i]]++;
    assert(!(taken[2] == 3 && taken[1] == 1));
    while ((v = dequeue()) != 0) {
        times[v]++;
        assert(!(v == 1 && times[3] != 0));
    }
    assert(times[1] == 1 && times[2] == 1 && times[3] == 1);
#ifndef THIRD_ONLY_TAKES
    assert(times[4] == 1);
#endif
    return 0;
}
