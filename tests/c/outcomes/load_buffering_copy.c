//@ run: verify --memory sc --observe r1,r2
//@ expect: holds outcomes={r1=0 r2=0}
// Copies in a circle stay zero.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *thread1(void *arg)
{
    (void)arg;
    r1 = x;
    y = r1;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    r2 = y;
    x = r2;
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
