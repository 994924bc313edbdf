//@ run: verify --memory sc --observe r1
//@ expect: holds stats.executions=1 outcomes={r1=1}
//@ run: verify --memory tso --observe r1
//@ expect: holds stats.executions=1 outcomes={r1=1}
//@ run: verify --memory ra --observe r1
//@ expect: holds stats.executions=1 outcomes={r1=1}
//@ run: verify --memory rc11 --observe r1
//@ expect: holds stats.executions=1 outcomes={r1=1}
//@ textbook: r1=0 under nothing
//@ from: C11, 7.26.5.1
// What was done before the thread was created is seen there.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    pthread_t t[1];
    pthread_create(&t[0], 0, thread1, 0);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    return 0;
}
