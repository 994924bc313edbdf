//@ run: verify --memory rc11 --liveness
//@ expect: violated witness.kind=liveness
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The MCS lock with one wrong order: a thread links itself with a relaxed store. The holder follows
// the link and calls it, but has not seen its `waiting = 1`: the call may be overwritten by that, and
// the thread waits for ever. No two critical sections overlap, so only --liveness shows it. See mcs.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_bool waiting;
};

static _Atomic(struct node *) tail;

static void lock(struct node *me)
{
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->waiting, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (before != NULL) {
        atomic_store_explicit(&before->next, me, memory_order_relaxed); /* BUG */
        while (atomic_load_explicit(&me->waiting, memory_order_acquire))
            ;
    }
}

static void unlock(struct node *me)
{
    struct node *after = atomic_load_explicit(&me->next, memory_order_acquire);
    if (after == NULL) {
        struct node *last = me;
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return; /* nobody waits */
        /* Somebody has swapped tail but not linked itself yet: wait for the link. */
        while ((after = atomic_load_explicit(&me->next, memory_order_acquire)) == NULL)
            ;
    }
    atomic_store_explicit(&after->waiting, 0, memory_order_release);
}

/* The client: three threads share a plain counter. Any overlap would be a data race. */
static struct node nodes[3];
static int counter;

static void *worker(void *arg)
{
    struct node *me = arg;
    lock(me);
    counter++;
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(counter == 3);
    return 0;
}
