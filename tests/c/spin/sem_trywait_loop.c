//@ run: verify --memory sc
//@ expect: holds
// Polling a semaphore that starts at one.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t s;
static int n;

static void *waiter(void *arg)
{
    (void)arg;
    while (sem_trywait(&s) != 0)
        ;
    n++;
    sem_post(&s);
    return 0;
}

static void *setter(void *arg)
{
    (void)arg;
    while (sem_trywait(&s) != 0)
        ;
    n++;
    sem_post(&s);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, setter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
