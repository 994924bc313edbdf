//@ run: verify --memory sc --observe r1,r2,x
//@ expect: holds stats.executions=4 outcomes={r1=1 r2=0 x=2; r1=1 r2=2 x=1; r1=1 r2=2 x=2; r1=2 r2=2 x=2}
//@ run: verify --memory tso --observe r1,r2,x
//@ expect: holds stats.executions=5 outcomes={r1=1 r2=0 x=1; r1=1 r2=0 x=2; r1=1 r2=2 x=1; r1=1 r2=2 x=2; r1=2 r2=2 x=2}
//@ run: verify --memory ra --observe r1,r2,x
//@ expect: holds stats.executions=6 outcomes={r1=1 r2=0 x=1; r1=1 r2=0 x=2; r1=1 r2=2 x=1; r1=1 r2=2 x=2; r1=2 r2=0 x=2; r1=2 r2=2 x=2}
//@ run: verify --memory rc11 --observe r1,r2,x
//@ expect: holds stats.executions=6 outcomes={r1=1 r2=0 x=1; r1=1 r2=0 x=2; r1=1 r2=2 x=1; r1=1 r2=2 x=2; r1=2 r2=0 x=2; r1=2 r2=2 x=2}
//@ textbook: r1=1 r2=0 x=1 under tso ra rc11
//@ from: x86-TSO: Owens, Sarkar, Sewell, TPHOLs 2009 (n6)
// A thread reads its own store from the buffer before it reaches memory.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 2, memory_order_relaxed);
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
