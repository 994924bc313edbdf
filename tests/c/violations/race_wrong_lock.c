//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// Each thread holds a lock, but not the same one.
#include <pthread.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *run(void *a)
{
    pthread_mutex_t *m = a;
    pthread_mutex_lock(m);
    n++;
    pthread_mutex_unlock(m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, &m1);
    pthread_create(&b, 0, run, &m2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
