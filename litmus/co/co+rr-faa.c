//@ run: verify --memory sc --observe r1,r2,r3,r4
//@ expect: holds stats.executions=12 outcomes={r1=0 r2=1 r3=0 r4=0; r1=0 r2=1 r3=0 r4=1; r1=0 r2=1 r3=0 r4=2; r1=0 r2=1 r3=1 r4=1; r1=0 r2=1 r3=1 r4=2; r1=0 r2=1 r3=2 r4=2; r1=1 r2=0 r3=0 r4=0; r1=1 r2=0 r3=0 r4=1; r1=1 r2=0 r3=0 r4=2; r1=1 r2=0 r3=1 r4=1; r1=1 r2=0 r3=1 r4=2; r1=1 r2=0 r3=2 r4=2}
//@ run: verify --memory tso --observe r1,r2,r3,r4
//@ expect: holds stats.executions=12 outcomes={r1=0 r2=1 r3=0 r4=0; r1=0 r2=1 r3=0 r4=1; r1=0 r2=1 r3=0 r4=2; r1=0 r2=1 r3=1 r4=1; r1=0 r2=1 r3=1 r4=2; r1=0 r2=1 r3=2 r4=2; r1=1 r2=0 r3=0 r4=0; r1=1 r2=0 r3=0 r4=1; r1=1 r2=0 r3=0 r4=2; r1=1 r2=0 r3=1 r4=1; r1=1 r2=0 r3=1 r4=2; r1=1 r2=0 r3=2 r4=2}
//@ run: verify --memory ra --observe r1,r2,r3,r4
//@ expect: holds stats.executions=12 outcomes={r1=0 r2=1 r3=0 r4=0; r1=0 r2=1 r3=0 r4=1; r1=0 r2=1 r3=0 r4=2; r1=0 r2=1 r3=1 r4=1; r1=0 r2=1 r3=1 r4=2; r1=0 r2=1 r3=2 r4=2; r1=1 r2=0 r3=0 r4=0; r1=1 r2=0 r3=0 r4=1; r1=1 r2=0 r3=0 r4=2; r1=1 r2=0 r3=1 r4=1; r1=1 r2=0 r3=1 r4=2; r1=1 r2=0 r3=2 r4=2}
//@ run: verify --memory rc11 --observe r1,r2,r3,r4
//@ expect: holds stats.executions=12 outcomes={r1=0 r2=1 r3=0 r4=0; r1=0 r2=1 r3=0 r4=1; r1=0 r2=1 r3=0 r4=2; r1=0 r2=1 r3=1 r4=1; r1=0 r2=1 r3=1 r4=2; r1=0 r2=1 r3=2 r4=2; r1=1 r2=0 r3=0 r4=0; r1=1 r2=0 r3=0 r4=1; r1=1 r2=0 r3=0 r4=2; r1=1 r2=0 r3=1 r4=1; r1=1 r2=0 r3=1 r4=2; r1=1 r2=0 r3=2 r4=2}
//@ textbook: r3=2 r4=1 under nothing
//@ from: coherence: Alglave, Maranget, Tautschnig, TOPLAS 2014 (sc per location)
// CoRR over two updates.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2, r3, r4;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r2 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    r3 = atomic_load_explicit(&x, memory_order_relaxed);
    r4 = atomic_load_explicit(&x, memory_order_relaxed);
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
