//@ run: verify --memory sc
//@ expect: violated witness.kind=deadlock
// Two philosophers, two forks as semaphores, each starts on the left.
#include <pthread.h>
#include <semaphore.h>

static sem_t fork_[2];

static void *dine(void *arg)
{
    int me = (int)(long)arg;
    sem_wait(&fork_[me]);
    sem_wait(&fork_[1 - me]);
    sem_post(&fork_[1 - me]);
    sem_post(&fork_[me]);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&fork_[0], 0, 1);
    sem_init(&fork_[1], 0, 1);
    pthread_create(&a, 0, dine, (void *)0);
    pthread_create(&b, 0, dine, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
