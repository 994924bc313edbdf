//@ run: verify --memory sc
//@ expect: holds
// trylock fails with EBUSY while another thread holds the mutex, and only then.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static atomic_int busy;

static void *run(void *arg)
{
    (void)arg;
    int rc = pthread_mutex_trylock(&m);
    if (rc == 0) {
        n++;
        pthread_mutex_unlock(&m);
    } else {
        assert(rc == EBUSY);
        busy++;
    }
    return 0;
}

int main(void)
{
    assert(pthread_mutex_trylock(&m) == 0);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    pthread_mutex_unlock(&m);
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n + busy == 2 && n >= 1);
    return 0;
}
