//@ run: verify --memory sc --observe r1,r2,r3
//@ expect: holds stats.executions=18 outcomes={r1=0 r2=1 r3=0; r1=0 r2=1 r3=1; r1=0 r2=3 r3=0; r1=0 r2=3 r3=1; r1=1 r2=2 r3=0; r1=1 r2=2 r3=1; r1=1 r2=3 r3=1; r1=3 r2=1 r3=0; r1=3 r2=1 r3=1; r1=3 r2=4 r3=0; r1=3 r2=4 r3=1}
//@ run: verify --memory tso --observe r1,r2,r3
//@ expect: holds stats.executions=18 outcomes={r1=0 r2=1 r3=0; r1=0 r2=1 r3=1; r1=0 r2=3 r3=0; r1=0 r2=3 r3=1; r1=1 r2=2 r3=0; r1=1 r2=2 r3=1; r1=1 r2=3 r3=1; r1=3 r2=1 r3=0; r1=3 r2=1 r3=1; r1=3 r2=4 r3=0; r1=3 r2=4 r3=1}
//@ run: verify --memory ra --observe r1,r2,r3
//@ expect: holds stats.executions=24 outcomes={r1=0 r2=1 r3=0; r1=0 r2=1 r3=1; r1=0 r2=3 r3=0; r1=0 r2=3 r3=1; r1=1 r2=2 r3=0; r1=1 r2=2 r3=1; r1=1 r2=3 r3=0; r1=1 r2=3 r3=1; r1=3 r2=1 r3=0; r1=3 r2=1 r3=1; r1=3 r2=4 r3=0; r1=3 r2=4 r3=1}
//@ run: verify --memory rc11 --observe r1,r2,r3
//@ expect: holds stats.executions=24 outcomes={r1=0 r2=1 r3=0; r1=0 r2=1 r3=1; r1=0 r2=3 r3=0; r1=0 r2=3 r3=1; r1=1 r2=2 r3=0; r1=1 r2=2 r3=1; r1=1 r2=3 r3=0; r1=1 r2=3 r3=1; r1=3 r2=1 r3=0; r1=3 r2=1 r3=1; r1=3 r2=4 r3=0; r1=3 r2=4 r3=1}
//@ textbook: r1=1 r2=3 r3=0 under ra rc11
//@ from: RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017 (Z6.U)
// Seq_cst accesses mixed with weaker ones on one location: rc11 allows it, because Power needs it
// to (C11 forbade it).
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r1 = atomic_fetch_add_explicit(&y, 1, memory_order_seq_cst);
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 3, memory_order_seq_cst);
    r3 = atomic_load_explicit(&x, memory_order_seq_cst);
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
