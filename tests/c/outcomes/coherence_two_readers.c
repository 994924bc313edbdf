//@ run: verify --memory sc --observe r1,r2,r3,r4
//@ expect: holds outcomes={r1=0 r2=0 r3=0 r4=0; r1=0 r2=0 r3=0 r4=1; r1=0 r2=0 r3=0 r4=2; r1=0 r2=0 r3=1 r4=1; r1=0 r2=0 r3=1 r4=2; r1=0 r2=0 r3=2 r4=1; r1=0 r2=0 r3=2 r4=2; r1=0 r2=1 r3=0 r4=0; r1=0 r2=1 r3=0 r4=1; r1=0 r2=1 r3=0 r4=2; r1=0 r2=1 r3=1 r4=1; r1=0 r2=1 r3=1 r4=2; r1=0 r2=1 r3=2 r4=1; r1=0 r2=1 r3=2 r4=2; r1=0 r2=2 r3=0 r4=0; r1=0 r2=2 r3=0 r4=1; r1=0 r2=2 r3=0 r4=2; r1=0 r2=2 r3=1 r4=1; r1=0 r2=2 r3=1 r4=2; r1=0 r2=2 r3=2 r4=1; r1=0 r2=2 r3=2 r4=2; r1=1 r2=1 r3=0 r4=0; r1=1 r2=1 r3=0 r4=1; r1=1 r2=1 r3=0 r4=2; r1=1 r2=1 r3=1 r4=1; r1=1 r2=1 r3=1 r4=2; r1=1 r2=1 r3=2 r4=1; r1=1 r2=1 r3=2 r4=2; r1=1 r2=2 r3=0 r4=0; r1=1 r2=2 r3=0 r4=1; r1=1 r2=2 r3=0 r4=2; r1=1 r2=2 r3=1 r4=1; r1=1 r2=2 r3=1 r4=2; r1=1 r2=2 r3=2 r4=2; r1=2 r2=1 r3=0 r4=0; r1=2 r2=1 r3=0 r4=1; r1=2 r2=1 r3=0 r4=2; r1=2 r2=1 r3=1 r4=1; r1=2 r2=1 r3=2 r4=1; r1=2 r2=1 r3=2 r4=2; r1=2 r2=2 r3=0 r4=0; r1=2 r2=2 r3=0 r4=1; r1=2 r2=2 r3=0 r4=2; r1=2 r2=2 r3=1 r4=1; r1=2 r2=2 r3=1 r4=2; r1=2 r2=2 r3=2 r4=1; r1=2 r2=2 r3=2 r4=2}
// Two readers agree on the order of two writes.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2, r3, r4;

static void *thread1(void *arg)
{
    (void)arg;
    x = 1;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    x = 2;
    return 0;
}

static void *thread3(void *arg)
{
    (void)arg;
    r1 = x;
    r2 = x;
    return 0;
}

static void *thread4(void *arg)
{
    (void)arg;
    r3 = x;
    r4 = x;
    return 0;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, thread1, 0);
    pthread_create(&t[1], 0, thread2, 0);
    pthread_create(&t[2], 0, thread3, 0);
    pthread_create(&t[3], 0, thread4, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
