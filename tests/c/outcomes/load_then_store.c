//@ run: verify --memory sc --observe r1,r2,x
//@ expect: holds outcomes={r1=0 r2=0 x=1; r1=0 r2=0 x=2; r1=0 r2=1 x=2; r1=2 r2=0 x=1}
// A load, then a store of a constant: what each thread saw, and who came last.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = x;
    x = 1;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r2 = x;
    x = 2;
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
