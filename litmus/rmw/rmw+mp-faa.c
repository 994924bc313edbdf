//@ run: verify --memory sc --observe r1,r2
//@ expect: holds stats.executions=3 outcomes={r1=0 r2=0; r1=0 r2=1; r1=1 r2=1}
//@ run: verify --memory tso --observe r1,r2
//@ expect: holds stats.executions=3 outcomes={r1=0 r2=0; r1=0 r2=1; r1=1 r2=1}
//@ run: verify --memory ra --observe r1,r2
//@ expect: holds stats.executions=3 outcomes={r1=0 r2=0; r1=0 r2=1; r1=1 r2=1}
//@ run: verify --memory rc11 --observe r1,r2
//@ expect: holds stats.executions=3 outcomes={r1=0 r2=0; r1=0 r2=1; r1=1 r2=1}
//@ textbook: r1=1 r2=0 under nothing
//@ from: RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017
// Message passing by relaxed updates alone: the last one reads 0, so the first one reads from it,
// and the cycle is one of program order and reads.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r1 = atomic_fetch_add_explicit(&y, 0, memory_order_relaxed);
    r2 = atomic_fetch_add_explicit(&x, 0, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, thread1, 0);
    pthread_create(&t[1], 0, thread2, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
