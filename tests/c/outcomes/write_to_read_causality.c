//@ run: verify --memory sc --observe r1,r2,r3
//@ expect: holds outcomes={r1=0 r2=0 r3=0; r1=0 r2=0 r3=1; r1=0 r2=1 r3=0; r1=0 r2=1 r3=1; r1=1 r2=0 r3=0; r1=1 r2=0 r3=1; r1=1 r2=1 r3=1}
// Causality through a third thread.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3;

static void *thread1(void *arg)
{
    (void)arg;
    x = 1;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r1 = x;
    y = 1;
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    r2 = y;
    r3 = x;
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
