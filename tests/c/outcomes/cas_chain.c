//@ run: verify --memory sc --observe r1,r2,r3,x
//@ expect: holds outcomes={r1=1 r2=0 r3=0 x=1; r1=1 r2=1 r3=0 x=2; r1=1 r2=1 r3=1 x=3}
// The second swap needs the first.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2, r3;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = atomic_compare_exchange_strong(&x, &(int){ 0 }, 1);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r2 = atomic_compare_exchange_strong(&x, &(int){ 1 }, 2);
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    r3 = atomic_compare_exchange_strong(&x, &(int){ 2 }, 3);
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
