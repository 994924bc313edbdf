//@ run: verify --memory sc --observe r0,r1,x,y
//@ expect: holds stats.executions=4 outcomes={r0=0 r1=2 x=5 y=2; r0=5 r1=1 x=6 y=1; r0=5 r1=2 x=6 y=1; r0=5 r1=2 x=6 y=2}
//@ run: verify --memory tso --observe r0,r1,x,y
//@ expect: holds stats.executions=4 outcomes={r0=0 r1=2 x=5 y=2; r0=5 r1=1 x=6 y=1; r0=5 r1=2 x=6 y=1; r0=5 r1=2 x=6 y=2}
//@ run: verify --memory ra --observe r0,r1,x,y
//@ expect: holds stats.executions=6 outcomes={r0=0 r1=1 x=5 y=1; r0=0 r1=2 x=5 y=1; r0=0 r1=2 x=5 y=2; r0=5 r1=1 x=6 y=1; r0=5 r1=2 x=6 y=1; r0=5 r1=2 x=6 y=2}
//@ run: verify --memory rc11 --observe r0,r1,x,y
//@ expect: holds stats.executions=5 outcomes={r0=0 r1=1 x=5 y=1; r0=0 r1=2 x=5 y=2; r0=5 r1=1 x=6 y=1; r0=5 r1=2 x=6 y=1; r0=5 r1=2 x=6 y=2}
//@ textbook: r0=0 r1=2 x=5 y=1 under ra
//@ from: C++20, [atomics.order] 4; RC11, PLDI'17
// The same with a loop around the load: that changes nothing.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r0, r1;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    do
        r1 = atomic_load_explicit(&y, memory_order_seq_cst);
    while (r1 == 0);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, thread1, 0);
    atomic_store_explicit(&x, 5, memory_order_seq_cst);
    pthread_create(&t[1], 0, thread2, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
