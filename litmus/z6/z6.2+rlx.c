//@ run: verify --memory sc --observe r1,r2,x
//@ expect: holds stats.executions=7 outcomes={r1=0 r2=0 x=1; r1=0 r2=0 x=2; r1=0 r2=1 x=1; r1=0 r2=1 x=2; r1=1 r2=0 x=1; r1=1 r2=0 x=2; r1=1 r2=1 x=1}
//@ run: verify --memory tso --observe r1,r2,x
//@ expect: holds stats.executions=7 outcomes={r1=0 r2=0 x=1; r1=0 r2=0 x=2; r1=0 r2=1 x=1; r1=0 r2=1 x=2; r1=1 r2=0 x=1; r1=1 r2=0 x=2; r1=1 r2=1 x=1}
//@ run: verify --memory ra --observe r1,r2,x
//@ expect: holds stats.executions=8 outcomes={r1=0 r2=0 x=1; r1=0 r2=0 x=2; r1=0 r2=1 x=1; r1=0 r2=1 x=2; r1=1 r2=0 x=1; r1=1 r2=0 x=2; r1=1 r2=1 x=1; r1=1 r2=1 x=2}
//@ run: verify --memory rc11 --observe r1,r2,x
//@ expect: holds stats.executions=8 outcomes={r1=0 r2=0 x=1; r1=0 r2=0 x=2; r1=0 r2=1 x=1; r1=0 r2=1 x=2; r1=1 r2=0 x=1; r1=1 r2=0 x=2; r1=1 r2=1 x=1; r1=1 r2=1 x=2}
//@ textbook: r1=1 r2=1 x=2 under ra rc11
//@ from: shape: Alglave, Maranget, Tautschnig, Herding Cats, TOPLAS 2014; RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017
// Two reads, and an overwriting that comes too late.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    r2 = atomic_load_explicit(&z, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, thread1, 0);
    pthread_create(&t[1], 0, thread2, 0);
    pthread_create(&t[2], 0, thread3, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
