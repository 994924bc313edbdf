//@ run: verify --memory sc --observe r1,r2,r3,r4
//@ expect: holds stats.executions=27 outcomes={r1=0 r2=0 r3=0 r4=0; r1=0 r2=0 r3=0 r4=1; r1=0 r2=0 r3=1 r4=0; r1=0 r2=0 r3=1 r4=1; r1=0 r2=1 r3=0 r4=0; r1=0 r2=1 r3=0 r4=1; r1=0 r2=1 r3=1 r4=0; r1=0 r2=1 r3=1 r4=1; r1=1 r2=0 r3=0 r4=0; r1=1 r2=0 r3=0 r4=1; r1=1 r2=0 r3=1 r4=1; r1=1 r2=1 r3=0 r4=0; r1=1 r2=1 r3=0 r4=1; r1=1 r2=1 r3=1 r4=0; r1=1 r2=1 r3=1 r4=1}
//@ run: verify --memory tso --observe r1,r2,r3,r4
//@ expect: holds stats.executions=27 outcomes={r1=0 r2=0 r3=0 r4=0; r1=0 r2=0 r3=0 r4=1; r1=0 r2=0 r3=1 r4=0; r1=0 r2=0 r3=1 r4=1; r1=0 r2=1 r3=0 r4=0; r1=0 r2=1 r3=0 r4=1; r1=0 r2=1 r3=1 r4=0; r1=0 r2=1 r3=1 r4=1; r1=1 r2=0 r3=0 r4=0; r1=1 r2=0 r3=0 r4=1; r1=1 r2=0 r3=1 r4=1; r1=1 r2=1 r3=0 r4=0; r1=1 r2=1 r3=0 r4=1; r1=1 r2=1 r3=1 r4=0; r1=1 r2=1 r3=1 r4=1}
//@ run: verify --memory ra --observe r1,r2,r3,r4
//@ expect: holds stats.executions=27 outcomes={r1=0 r2=0 r3=0 r4=0; r1=0 r2=0 r3=0 r4=1; r1=0 r2=0 r3=1 r4=0; r1=0 r2=0 r3=1 r4=1; r1=0 r2=1 r3=0 r4=0; r1=0 r2=1 r3=0 r4=1; r1=0 r2=1 r3=1 r4=0; r1=0 r2=1 r3=1 r4=1; r1=1 r2=0 r3=0 r4=0; r1=1 r2=0 r3=0 r4=1; r1=1 r2=0 r3=1 r4=1; r1=1 r2=1 r3=0 r4=0; r1=1 r2=1 r3=0 r4=1; r1=1 r2=1 r3=1 r4=0; r1=1 r2=1 r3=1 r4=1}
//@ run: verify --memory rc11 --observe r1,r2,r3,r4
//@ expect: holds stats.executions=27 outcomes={r1=0 r2=0 r3=0 r4=0; r1=0 r2=0 r3=0 r4=1; r1=0 r2=0 r3=1 r4=0; r1=0 r2=0 r3=1 r4=1; r1=0 r2=1 r3=0 r4=0; r1=0 r2=1 r3=0 r4=1; r1=0 r2=1 r3=1 r4=0; r1=0 r2=1 r3=1 r4=1; r1=1 r2=0 r3=0 r4=0; r1=1 r2=0 r3=0 r4=1; r1=1 r2=0 r3=1 r4=1; r1=1 r2=1 r3=0 r4=0; r1=1 r2=1 r3=0 r4=1; r1=1 r2=1 r3=1 r4=0; r1=1 r2=1 r3=1 r4=1}
//@ textbook: r1=1 r2=0 r3=1 r4=0 under nothing
//@ from: RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017
// Updates everywhere do, relaxed ones too: each reads from the one before, and that is a cycle of
// program order and reads.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3, r4;

static void *thread1(void *arg)
{
    (void)arg;
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    r1 = atomic_fetch_add_explicit(&x, 0, memory_order_relaxed);
    r2 = atomic_fetch_add_explicit(&y, 0, memory_order_relaxed);
    return 0;
}

static void *thread4(void *arg)
{
    (void)arg;
    r3 = atomic_fetch_add_explicit(&y, 0, memory_order_relaxed);
    r4 = atomic_fetch_add_explicit(&x, 0, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, thread1, 0);
    pthread_create(&t[1], 0, thread2, 0);
    pthread_create(&t[2], 0, thread3, 0);
    pthread_create(&t[3], 0, thread4, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
