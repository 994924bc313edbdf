//@ run: robust
//@ expect: violated
// A store may go between the first write and its update, though who makes it has heard of the update.
// From: Nagar et al., OOPSLA 2024, Figure 8, where the update is taken to prevent that: it does for what the
// update read, not for what was there before.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l1, l2;

static void *writes(void *unused)
{
    atomic_store_explicit(&l1, 1, memory_order_relaxed);
    return unused;
}

static void *updates(void *unused)
{
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&l1, &expected, 2, memory_order_relaxed, memory_order_relaxed);
    atomic_store_explicit(&l2, 1, memory_order_relaxed);
    return unused;
}

static void *looks(void *unused)
{
    if (atomic_load_explicit(&l2, memory_order_relaxed) == 1)
        atomic_store_explicit(&l1, 3, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], 0, writes, 0);
    pthread_create(&threads[1], 0, updates, 0);
    pthread_create(&threads[2], 0, looks, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}
