//@ run: verify --memory sc --observe r1
//@ expect: holds stats.executions=3 outcomes={r1=0; r1=1}
//@ run: verify --memory tso --observe r1
//@ expect: holds stats.executions=3 outcomes={r1=0; r1=1}
//@ run: verify --memory ra --observe r1
//@ expect: holds stats.executions=3 outcomes={r1=0; r1=1}
//@ run: verify --memory rc11 --observe r1
//@ expect: holds stats.executions=3 outcomes={r1=0; r1=1}
//@ textbook: r1=1 under tso ra rc11 sc
//@ from: POSIX mutexes: unlock synchronises with the next lock
// What follows the unlock is not protected.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_mutex_unlock(&m);
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
