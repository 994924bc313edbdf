//@ run: verify --memory sc --observe x,y
//@ expect: holds outcomes={x=1 y=2; x=2 y=1; x=2 y=2}
// Two writers in opposite order: the final values.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *thread1(void *arg)
{
    (void)arg;
    x = 1;
    y = 2;
    return 0;
}

static void *thread2(void *arg)
{
    (void)arg;
    y = 1;
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
