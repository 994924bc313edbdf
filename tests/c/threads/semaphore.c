//@ run: verify --memory sc
//@ expect: holds
// A semaphore as a lock, a signal and a counter.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock, items;
static int n;

static void *run(void *x)
{
    (void)x;
    sem_wait(&lock);
    n++;
    sem_post(&lock);
    sem_post(&items);
    return 0;
}

int main(void)
{
    int value;
    pthread_t a, b;
    sem_init(&lock, 0, 1);
    sem_init(&items, 0, 0);
    assert(sem_trywait(&items) == -1 && errno == EAGAIN);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    sem_wait(&items);
    sem_wait(&items);
    assert(n == 2);
    sem_getvalue(&lock, &value);
    assert(value == 0 || value == 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    sem_getvalue(&items, &value);
    assert(value == 0);
    assert(sem_trywait(&lock) == 0);
    sem_destroy(&lock);
    sem_destroy(&items);
    return 0;
}
