//@ run: verify
//@ expect: holds
//@ run: verify --no-reduction helping
//@ expect: holds
// A store in a failed iteration, and a thread that is there only in some of the graphs.
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
};

static struct node node[4];
static _Atomic(struct node *) tail = &node[1];
static atomic_int note;
static int plain;

static void *first(void *unused)
{
    struct node *none = 0; /* what a failed swap found there */
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_relaxed);
        if (last == atomic_load(&tail)) {
            if (atomic_compare_exchange_strong_explicit(&last->next, &none, &node[2], memory_order_acq_rel,
                                                        memory_order_acquire))
                return unused;
            atomic_store(&note, 7);
        }
    }
}

static void *second(void *unused)
{
    struct node *none = 0; /* what a failed swap found there */
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_relaxed);
        if (last == atomic_load_explicit(&tail, memory_order_relaxed)
            && atomic_compare_exchange_strong_explicit(&last->next, &none, &node[3], memory_order_acq_rel,
                                                       memory_order_relaxed))
            break;
    }
    atomic_store_explicit(&tail, &node[3], memory_order_release);
    return unused;
}

static void *third(void *unused)
{
    plain = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(c, 0);
    pthread_join(b, 0);
    return 0;
}
