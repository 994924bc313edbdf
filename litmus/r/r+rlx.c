//@ run: verify --memory sc --observe r1,y
//@ expect: holds stats.executions=3 outcomes={r1=0 y=1; r1=1 y=1; r1=1 y=2}
//@ run: verify --memory tso --observe r1,y
//@ expect: holds stats.executions=4 outcomes={r1=0 y=1; r1=0 y=2; r1=1 y=1; r1=1 y=2}
//@ run: verify --memory ra --observe r1,y
//@ expect: holds stats.executions=4 outcomes={r1=0 y=1; r1=0 y=2; r1=1 y=1; r1=1 y=2}
//@ run: verify --memory rc11 --observe r1,y
//@ expect: holds stats.executions=4 outcomes={r1=0 y=1; r1=0 y=2; r1=1 y=1; r1=1 y=2}
//@ textbook: r1=0 y=2 under tso ra rc11
//@ from: shape: Alglave, Maranget, Tautschnig, Herding Cats, TOPLAS 2014; RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017
// Shape R: a store that comes last, and a load after it that misses an earlier store.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
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
