//@ run: verify --memory sc --observe r1,x
//@ expect: holds outcomes={r1=1 x=1; r1=1 x=2; r1=2 x=2}
// A thread sees its own write or something newer.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    x = 1;
    r1 = x;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
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
