// PUTS threads that put and TAKES threads that take, one call each; see bench/retry.py.
#include OBJECT
#include <pthread.h>

static void *put(void *value)
{
    PUT((int)(long)value);
    return 0;
}

static void *take(void *unused)
{
    (void)unused;
    return (void *)(long)TAKE;
}

int main(void)
{
    pthread_t thread[PUTS + TAKES];
    INIT;
    for (long i = 0; i < PUTS; i++)
        pthread_create(&thread[i], 0, put, (void *)(i + 1));
    for (int i = PUTS; i < PUTS + TAKES; i++)
        pthread_create(&thread[i], 0, take, 0);
    for (int i = 0; i < PUTS + TAKES; i++)
        pthread_join(thread[i], 0);
    return 0;
}
