//@ run: verify --memory sc
//@ expect: holds
// Two threads add through a weak compare-and-swap loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *add(void *arg)
{
    int old = atomic_load_explicit(&n, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&n, &old, old + (int)(long)arg, memory_order_acq_rel,
                                                  memory_order_relaxed))
        ;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, (void *)3);
    pthread_create(&b, 0, add, (void *)4);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 7);
    return 0;
}
