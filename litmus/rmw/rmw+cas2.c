//@ run: verify --memory sc --observe r1,r2,x
//@ expect: holds stats.executions=2 outcomes={r1=0 r2=1 x=1; r1=2 r2=0 x=2}
//@ run: verify --memory tso --observe r1,r2,x
//@ expect: holds stats.executions=2 outcomes={r1=0 r2=1 x=1; r1=2 r2=0 x=2}
//@ run: verify --memory ra --observe r1,r2,x
//@ expect: holds stats.executions=2 outcomes={r1=0 r2=1 x=1; r1=2 r2=0 x=2}
//@ run: verify --memory rc11 --observe r1,r2,x
//@ expect: holds stats.executions=2 outcomes={r1=0 r2=1 x=1; r1=2 r2=0 x=2}
//@ textbook: r1=0 r2=0 under nothing
//@ from: atomicity: an update reads the store just before its own; RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017
// Two compare-and-swaps from 0: exactly one succeeds.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = 0;
    atomic_compare_exchange_strong_explicit(&x, &r1, 1, memory_order_relaxed, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r2 = 0;
    atomic_compare_exchange_strong_explicit(&x, &r2, 2, memory_order_relaxed, memory_order_relaxed);
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
