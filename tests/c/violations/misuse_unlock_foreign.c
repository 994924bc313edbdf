//@ run: verify --memory sc
//@ expect: violated witness.kind=lock-misuse
// Unlocking a mutex another thread holds.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t held, done;

static void *owner(void *x)
{
    (void)x;
    pthread_mutex_lock(&m);
    sem_post(&held);
    sem_wait(&done);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&held, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&t, 0, owner, 0);
    sem_wait(&held);
    pthread_mutex_unlock(&m);
    sem_post(&done);
    pthread_join(t, 0);
    return 0;
}
