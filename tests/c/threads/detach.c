//@ run: verify --memory sc
//@ expect: holds
// A detached thread needs no join; main waits for it by other means.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *run(void *arg)
{
    (void)arg;
    result = 8;
    sem_post(&done);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, 0, run, 0);
    pthread_detach(t);
    sem_wait(&done);
    assert(result == 8);
    return 0;
}
