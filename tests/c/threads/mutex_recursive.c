//@ run: verify --memory sc
//@ expect: holds
// A recursive mutex counts its owner's locks.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int n;

static void nested(int k)
{
    pthread_mutex_lock(&m);
    n++;
    if (k)
        nested(k - 1);
    pthread_mutex_unlock(&m);
}

static void *run(void *arg) { (void)arg; nested(1); return 0; }

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    nested(2);
    pthread_join(t, 0);
    assert(n == 5);
    assert(pthread_mutex_trylock(&m) == 0 && pthread_mutex_trylock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == EPERM);
    pthread_mutex_destroy(&m);
    return 0;
}
