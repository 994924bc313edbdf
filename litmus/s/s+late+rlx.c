//@ run: verify --memory sc --observe r1,x
//@ expect: holds stats.executions=3 outcomes={r1=0 x=1; r1=0 x=2; r1=1 x=1}
//@ run: verify --memory tso --observe r1,x
//@ expect: holds stats.executions=3 outcomes={r1=0 x=1; r1=0 x=2; r1=1 x=1}
//@ run: verify --memory ra --observe r1,x
//@ expect: holds stats.executions=4 outcomes={r1=0 x=1; r1=0 x=2; r1=1 x=1; r1=1 x=2}
//@ run: verify --memory rc11 --observe r1,x
//@ expect: holds stats.executions=4 outcomes={r1=0 x=1; r1=0 x=2; r1=1 x=1; r1=1 x=2}
//@ textbook: r1=1 x=2 under ra rc11
// The writer begins with a read, so that searches tend to come late to its writes: what reads y is
// then taken back together with a write of x, wherever in the order of x that was.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    (void)atomic_load_explicit(&z, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
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
