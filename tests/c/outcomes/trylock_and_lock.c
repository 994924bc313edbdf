//@ run: verify --memory sc --observe r1,r2
//@ expect: holds outcomes={r1=0 r2=0; r1=0 r2=1; r1=0 r2=2; r1=1 r2=0; r1=1 r2=2}
// A trylock fails exactly while the other is inside.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    x = 1;
    x = 2;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r1 = pthread_mutex_trylock(&m) == 0;
    r2 = x;
    if (r1)
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
