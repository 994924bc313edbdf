//@ run: verify --memory sc --observe r1,r2 --no-reduction iterations,arrivals
//@ expect: holds stats.executions=2 outcomes={r1=1 r2=1}
//@ run: verify --memory tso --observe r1,r2 --no-reduction iterations,arrivals
//@ expect: holds stats.executions=2 outcomes={r1=1 r2=1}
//@ run: verify --memory ra --observe r1,r2 --no-reduction iterations,arrivals
//@ expect: holds stats.executions=2 outcomes={r1=1 r2=1}
//@ run: verify --memory rc11 --observe r1,r2 --no-reduction iterations,arrivals
//@ expect: holds stats.executions=2 outcomes={r1=1 r2=1}
//@ textbook: r1=0 under nothing
//@ textbook: r2=0 under nothing
//@ from: POSIX barriers: arriving happens before leaving
// Plain variables on both sides of a barrier do not race.
#include <pthread.h>
#include <stdatomic.h>

pthread_barrier_t b;
int x, y;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    x = 1;
    pthread_barrier_wait(&b);
    r1 = y;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    y = 1;
    pthread_barrier_wait(&b);
    r2 = x;
    return 0;
}

int main(void)
{
    pthread_barrier_init(&b, 0, 2);
    pthread_t t[2];
    pthread_create(&t[0], 0, thread1, 0);
    pthread_create(&t[1], 0, thread2, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
