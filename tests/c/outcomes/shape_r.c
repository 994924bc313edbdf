//@ run: verify --memory sc --observe r1,y
//@ expect: holds outcomes={r1=0 y=1; r1=1 y=1; r1=1 y=2}
// Shape R: a write after a write, then a read.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1;

static void *thread1(void *arg)
{
    (void)arg;
    x = 1;
    y = 1;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    y = 2;
    r1 = x;
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
