//@ run: verify --memory sc --observe x,y
//@ expect: holds stats.executions=3 outcomes={x=1 y=2; x=2 y=1; x=2 y=2}
//@ run: verify --memory tso --observe x,y
//@ expect: holds stats.executions=3 outcomes={x=1 y=2; x=2 y=1; x=2 y=2}
//@ run: verify --memory ra --observe x,y
//@ expect: holds stats.executions=4 outcomes={x=1 y=1; x=1 y=2; x=2 y=1; x=2 y=2}
//@ run: verify --memory rc11 --observe x,y
//@ expect: holds stats.executions=4 outcomes={x=1 y=1; x=1 y=2; x=2 y=1; x=2 y=2}
//@ textbook: x=1 y=1 under ra rc11
//@ from: shape: Alglave, Maranget, Tautschnig, Herding Cats, TOPLAS 2014; RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017
// Two threads write both variables in opposite orders, and the first store of each comes last.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
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
