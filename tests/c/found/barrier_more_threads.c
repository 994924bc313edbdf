//@ run: verify --memory sc
//@ expect: holds
// Four threads at a barrier for two pair up.
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *a)
{
    (void)a;
    pthread_barrier_wait(&b);
    return 0;
}

int main(void)
{
    pthread_t t[4];
    pthread_barrier_init(&b, 0, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
