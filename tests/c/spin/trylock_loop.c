//@ run: verify --memory sc
//@ expect: holds
// Polling a mutex.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *waiter(void *arg)
{
    (void)arg;
    while (pthread_mutex_trylock(&m) != 0)
        ;
    n++;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *setter(void *arg)
{
    (void)arg;
    while (pthread_mutex_trylock(&m) != 0)
        ;
    n++;
    pthread_mutex_unlock(&m);
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
