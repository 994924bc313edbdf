//@ run: verify --memory sc
//@ expect: holds
// Waiting for a pointer and following it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int box;
static _Atomic(int *) slot;

static void *waiter(void *arg)
{
    (void)arg;
    int *p;
    while (!(p = slot))
        ;
    assert(*p == 7);
    return 0;
}

static void *setter(void *arg)
{
    (void)arg;
    box = 7;
    slot = &box;
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
