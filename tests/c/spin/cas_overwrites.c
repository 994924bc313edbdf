//@ run: verify --memory rc11 --liveness
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds scope.assumptions[1]="loops that wait for another thread end"
// A compare-and-swap that fails overwrites what it expects. A loop that finds the same value again
// after two iterations has not gone in a circle: the next attempt succeeds.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *swaps(void *arg)
{
    int expected = 0;
    while (!atomic_compare_exchange_strong(&x, &expected, 2))
        ;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, swaps, 0);
    int one = 0;
    if (atomic_compare_exchange_strong(&x, &one, 1))
        x = 0;
    pthread_join(t, 0);
    return 0;
}
