//@ run: verify --memory sc --observe r1,r2,r3,r4
//@ expect: holds outcomes={r1=0 r2=0 r3=1 r4=1; r1=0 r2=10 r3=0 r4=1; r1=10 r2=10 r3=0 r4=0}
// Message passing by additions only.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3, r4;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = atomic_fetch_add(&x, 1);
    r2 = atomic_fetch_add(&y, 1);
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r3 = atomic_fetch_add(&y, 10);
    r4 = atomic_fetch_add(&x, 10);
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
