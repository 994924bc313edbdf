//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory ra
//@ expect: holds
//@ run: verify --memory rc11 --liveness
//@ expect: holds
// The queue lock of Mellor-Crummey and Scott (1991): every waiter spins on its own node.
//
// tail points at the node of the last thread in line. A thread enters by swapping its node in; if
// somebody was there before, it links itself behind that node and waits to be called. The holder
// leaves by calling its successor, or by emptying the line if there is none.
//
// Memory orders, each one as weak as it can be; weakened further, it fails as said in brackets.
// - The swap on tail *releases* our node: whoever links itself there must overwrite the null, not
//   be overwritten by it [its link is lost, and nobody ever calls it]; and it *acquires* what the
//   previous holder did, if that left an empty line behind [race].
// - Linking *releases* `waiting`, and reading the link *acquires* it: the call must overwrite the
//   `true`, not be overwritten by it [the successor waits for ever].
// - Being called is a release/acquire pair on `waiting` [race], and so is leaving an empty line by
//   the swap of tail [race].
// The nodes' own fields are set relaxed. The failures that are no race are threads that wait for
// ever, so they are looked for with --liveness.
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
        atomic_store_explicit(&before->next, me, memory_order_release);
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
