//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
// Two consumers, one item, a broadcast, and a test that is not repeated.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items, waiting;

static void *consumer(void *x)
{
    (void)x;
    pthread_mutex_lock(&m);
    waiting++;
    if (items == 0)
        pthread_cond_wait(&c, &m);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_mutex_lock(&m);
    if (waiting == 2) {
        items = 1;
        pthread_cond_broadcast(&c);
    } else {
        items = 2;
        pthread_cond_broadcast(&c);
    }
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
