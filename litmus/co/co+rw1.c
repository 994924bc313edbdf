//@ run: verify --memory sc --observe r1,x
//@ expect: holds stats.executions=1 outcomes={r1=0 x=1}
//@ run: verify --memory tso --observe r1,x
//@ expect: holds stats.executions=1 outcomes={r1=0 x=1}
//@ run: verify --memory ra --observe r1,x
//@ expect: holds stats.executions=1 outcomes={r1=0 x=1}
//@ run: verify --memory rc11 --observe r1,x
//@ expect: holds stats.executions=1 outcomes={r1=0 x=1}
//@ textbook: r1=1 under nothing
//@ from: coherence: Alglave, Maranget, Tautschnig, TOPLAS 2014 (sc per location)
// CoRW1: a thread does not read its own future.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t t[1];
    pthread_create(&t[0], 0, thread1, 0);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    return 0;
}
