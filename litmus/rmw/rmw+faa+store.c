//@ run: verify --memory sc --observe r1,x
//@ expect: holds stats.executions=2 outcomes={r1=0 x=5; r1=5 x=6}
//@ run: verify --memory tso --observe r1,x
//@ expect: holds stats.executions=2 outcomes={r1=0 x=5; r1=5 x=6}
//@ run: verify --memory ra --observe r1,x
//@ expect: holds stats.executions=2 outcomes={r1=0 x=5; r1=5 x=6}
//@ run: verify --memory rc11 --observe r1,x
//@ expect: holds stats.executions=2 outcomes={r1=0 x=5; r1=5 x=6}
//@ textbook: r1=0 x=5 under tso ra rc11 sc
//@ textbook: r1=5 x=5 under nothing
//@ from: atomicity: an update reads the store just before its own; RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017
// A store may come before or after the update, not in between.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 5, memory_order_relaxed);
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
