//@ run: verify --memory sc --observe r1,r2,r3,x
//@ expect: holds outcomes={r1=0 r2=1 r3=2 x=3; r1=0 r2=3 r3=1 x=2; r1=2 r2=0 r3=1 x=3; r1=2 r2=3 r3=0 x=1; r1=3 r2=0 r3=2 x=1; r1=3 r2=1 r3=0 x=2}
// Exchanges hand a value around.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2, r3;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = atomic_exchange(&x, 1);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r2 = atomic_exchange(&x, 2);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    r3 = atomic_exchange(&x, 3);
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
