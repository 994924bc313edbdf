//@ run: verify --memory sc --observe r1,r2,x
//@ expect: holds outcomes={r1=0 r2=0 x=0; r1=0 r2=1 x=0; r1=0 r2=1 x=5; r1=1 r2=0 x=0; r1=1 r2=1 x=5}
// A value that comes back fools a compare-and-swap.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    x = 1;
    x = 0;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r1 = x;
    r2 = atomic_compare_exchange_strong(&x, &(int){ 0 }, 5);
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
