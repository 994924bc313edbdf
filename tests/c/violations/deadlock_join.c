//@ run: verify --memory sc
//@ expect: violated witness.kind=deadlock
// main joins a thread that waits for a lock main holds.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *x)
{
    (void)x;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    pthread_mutex_unlock(&m);
    return 0;
}
