//@ run: verify --memory sc
//@ expect: holds
// Leaving an endless loop by break.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *waiter(void *arg)
{
    (void)arg;
    for (;;) {
        if (flag)
            break;
    }
    assert(data == 7);
    return 0;
}

static void *setter(void *arg)
{
    (void)arg;
    data = 7;
    atomic_store_explicit(&flag, 1, memory_order_release);
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
