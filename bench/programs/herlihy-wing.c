// The queue of Herlihy and Wing with one client of eight calls. A dequeue that finds nothing in one
// scan is not of interest.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define ENQUEUES 5

void __VERIFIER_assume(int);

atomic_int back;
atomic_int slot[ENQUEUES];

static void enqueue(int value)
{
    int i = atomic_fetch_add_explicit(&back, 1, memory_order_release);
    atomic_store_explicit(&slot[i], value, memory_order_release);
}

static int dequeue(void)
{
    int end = atomic_load_explicit(&back, memory_order_acquire);
    for (int i = 0; i < end; i++) {
        if (atomic_load_explicit(&slot[i], memory_order_acquire) == 0)
            continue;
        int value = atomic_exchange_explicit(&slot[i], 0, memory_order_acq_rel);
        if (value != 0)
            return value;
    }
    __VERIFIER_assume(0);
    return 0;
}

static void *enqueue_twice(void *unused)
{
    (void)unused;
    enqueue(1);
    enqueue(2);
    return NULL;
}

static void *enqueue_dequeue(void *value)
{
    enqueue((int)(intptr_t)value);
    dequeue();
    return NULL;
}

static void *dequeue_enqueue(void *unused)
{
    (void)unused;
    dequeue();
    enqueue(5);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, enqueue_twice, NULL);
    pthread_create(&threads[1], NULL, enqueue_dequeue, (void *)(intptr_t)3);
    pthread_create(&threads[2], NULL, enqueue_dequeue, (void *)(intptr_t)4);
    pthread_create(&threads[3], NULL, dequeue_enqueue, NULL);
    return 0;
}
