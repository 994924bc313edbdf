//@ run: verify --memory sc
//@ expect: holds
// One slot, two conditions: items arrive once each and in order.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static int slot, count;

static void put(int v)
{
    pthread_mutex_lock(&m);
    while (count)
        pthread_cond_wait(&empty, &m);
    slot = v;
    count = 1;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&m);
}

static int take(void)
{
    pthread_mutex_lock(&m);
    while (!count)
        pthread_cond_wait(&full, &m);
    int v = slot;
    count = 0;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&m);
    return v;
}

static void *producer(void *x) { (void)x; put(1); put(2); return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    assert(take() == 1);
    assert(take() == 2);
    pthread_join(t, 0);
    assert(count == 0);
    return 0;
}
