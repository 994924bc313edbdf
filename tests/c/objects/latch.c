//@ run: verify --memory sc
//@ expect: holds
// A countdown latch: main goes on when both workers have counted down.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t zero = PTHREAD_COND_INITIALIZER;
static int count = 2, work[2];

static void *worker(void *arg)
{
    work[(long)arg] = 1;
    pthread_mutex_lock(&m);
    if (--count == 0)
        pthread_cond_broadcast(&zero);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_mutex_lock(&m);
    while (count > 0)
        pthread_cond_wait(&zero, &m);
    pthread_mutex_unlock(&m);
    assert(work[0] + work[1] == 2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
