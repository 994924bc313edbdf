//@ run: verify --memory sc --observe r1,r2,r3,x
//@ expect: holds outcomes={r1=0 r2=1 r3=2 x=3; r1=0 r2=2 r3=1 x=3; r1=1 r2=0 r3=2 x=3; r1=1 r2=2 r3=0 x=3; r1=2 r2=0 r3=1 x=3; r1=2 r2=1 r3=0 x=3}
// Two tokens for three threads; the last waits for one to come back.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2, r3;
sem_t s;

static void *thread1(void *arg)
{
    (void)arg;
    sem_wait(&s);
    r1 = atomic_fetch_add(&x, 1);
    sem_post(&s);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    sem_wait(&s);
    r2 = atomic_fetch_add(&x, 1);
    sem_post(&s);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    sem_wait(&s);
    r3 = atomic_fetch_add(&x, 1);
    sem_post(&s);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    sem_init(&s, 0, 2);
    pthread_create(&t[0], 0, thread1, 0);
    pthread_create(&t[1], 0, thread2, 0);
    pthread_create(&t[2], 0, thread3, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
