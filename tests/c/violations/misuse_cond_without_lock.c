//@ run: verify --memory sc
//@ expect: violated witness.kind=lock-misuse
// Waiting on a condition without holding the mutex.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waker(void *x) { (void)x; pthread_cond_signal(&c); return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waker, 0);
    pthread_cond_wait(&c, &m);
    pthread_join(t, 0);
    return 0;
}
