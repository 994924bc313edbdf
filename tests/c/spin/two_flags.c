//@ run: verify --memory sc
//@ expect: holds
// Waiting for two flags in one condition.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a1, a2;
static int data;

static void *waiter(void *arg)
{
    (void)arg;
    while (!(a1 && a2))
        ;
    assert(data == 7);
    return 0;
}

static void *setter(void *arg)
{
    (void)arg;
    a2 = 1;
    data = 7;
    a1 = 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, setter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
