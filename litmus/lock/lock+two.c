//@ run: verify --memory sc --observe r1
//@ expect: violated witness.kind=race
//@ run: verify --memory tso --observe r1
//@ expect: violated witness.kind=race
//@ run: verify --memory ra --observe r1
//@ expect: violated witness.kind=race
//@ run: verify --memory rc11 --observe r1
//@ expect: violated witness.kind=race
//@ textbook: r1=1 under nothing
//@ from: POSIX mutexes: unlock synchronises with the next lock
// Two different locks order nothing: a race under every model, so no outcome is listed.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
int x;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&n);
    r1 = x;
    pthread_mutex_unlock(&n);
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
