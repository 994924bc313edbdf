//@ run: verify --memory sc --observe r1,r2
//@ expect: holds outcomes={r1=1 r2=0; r1=1 r2=1}
// A semaphore orders plain accesses.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

atomic_int y;
int x, r1, r2;
sem_t s;

static void *thread1(void *arg)
{
    (void)arg;
    x = 1;
    sem_post(&s);
    y = 1;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    sem_wait(&s);
    r1 = x;
    r2 = y;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    sem_init(&s, 0, 0);
    pthread_create(&t[0], 0, thread1, 0);
    pthread_create(&t[1], 0, thread2, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
