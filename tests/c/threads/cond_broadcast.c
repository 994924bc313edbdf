//@ run: verify --memory sc
//@ expect: holds
// Two waiters, one broadcast: both wake.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_cond_t c;
static int open_, woken;

static void *waiter(void *x)
{
    (void)x;
    pthread_mutex_lock(&m);
    while (!open_)
        pthread_cond_wait(&c, &m);
    woken++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_init(&m, 0);
    pthread_cond_init(&c, 0);
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, waiter, 0);
    pthread_mutex_lock(&m);
    open_ = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(woken == 2);
    pthread_cond_destroy(&c);
    pthread_mutex_destroy(&m);
    return 0;
}
