//@ run: verify --memory sc --observe r1,r2,z
//@ expect: holds outcomes={r1=1 r2=1 z=2; r1=1 r2=2 z=2}
// Two flags and two waits: strict alternation.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    x = 1;
    while (y != 1)
        ;
    r1 = z;
    z = 2;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    while (x != 1)
        ;
    z = 1;
    y = 1;
    r2 = z;
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
