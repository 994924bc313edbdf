//@ run: verify --memory sc
//@ expect: holds
// A mutex makes plain increments safe.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *run(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        n += (int)(long)arg;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)1);
    pthread_create(&b, 0, run, (void *)10);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 22);
    return 0;
}
