//@ run: verify --memory sc --observe r1,r2
//@ expect: holds outcomes={r1=0 r2=0; r1=0 r2=2; r1=2 r2=2}
// Two sections of one thread can be separated by the other.
#include <pthread.h>

int x, r1, r2;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    r1 = x;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    r2 = x;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    x = 1;
    x = 2;
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
