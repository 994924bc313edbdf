//@ run: verify --memory sc --observe x
//@ expect: holds stats.executions=6 outcomes={x=3}
//@ run: verify --memory tso --observe x
//@ expect: holds stats.executions=6 outcomes={x=3}
//@ run: verify --memory ra --observe x
//@ expect: holds stats.executions=6 outcomes={x=3}
//@ run: verify --memory rc11 --observe x
//@ expect: holds stats.executions=6 outcomes={x=3}
//@ textbook: x=2 under nothing
//@ from: POSIX mutexes: unlock synchronises with the next lock
// Three increments under a lock: six orders.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *thread1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
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
