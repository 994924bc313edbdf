//@ run: verify --memory sc
//@ expect: holds
// A timed wait for a condition that nobody signals ends.
#include <pthread.h>
#include <time.h>

int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    struct timespec when = { 0, 0 };
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &when);
    pthread_mutex_unlock(&m);
    return 0;
}
