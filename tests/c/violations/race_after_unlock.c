//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// The reader looks once more after it let go of the lock.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, a, b;

static void *run(void *x)
{
    (void)x;
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_mutex_lock(&m);
    a = n;
    pthread_mutex_unlock(&m);
    b = n;
    pthread_join(t, 0);
    return 0;
}
