//@ run: verify --memory sc
//@ expect: holds
// The CLH lock: each thread spins on the node of the one before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked[3];              /* locked[2] is the first, free node */
static atomic_int tail = 2;
static int count;

static void *run(void *arg)
{
    int me = (int)(long)arg;
    atomic_store_explicit(&locked[me], 1, memory_order_relaxed);
    int before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    while (atomic_load_explicit(&locked[before], memory_order_acquire))
        ;
    count++;
    atomic_store_explicit(&locked[me], 0, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
