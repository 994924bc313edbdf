//@ run: verify --memory sc
//@ expect: holds
// A lock by compare-and-swap.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int n;

static void *waiter(void *arg)
{
    (void)arg;
    int zero = 0;
    while (!atomic_compare_exchange_weak_explicit(&lock, &zero, 1, memory_order_acquire, memory_order_relaxed))
        zero = 0;
    n++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return 0;
}

static void *setter(void *arg)
{
    (void)arg;
    int zero = 0;
    while (!atomic_compare_exchange_weak_explicit(&lock, &zero, 1, memory_order_acquire, memory_order_relaxed))
        zero = 0;
    n++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, setter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
