//@ run: verify --memory sc
//@ expect: holds
// A lock by the old builtins.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int lock, n;

static void *waiter(void *arg)
{
    (void)arg;
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    n++;
    __sync_lock_release(&lock);
    return 0;
}

static void *setter(void *arg)
{
    (void)arg;
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    n++;
    __sync_lock_release(&lock);
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
