// Eight threads add one to a counter: 8! executions.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 8

atomic_int counter;

static void *increment(void *unused)
{
    (void)unused;
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    return 0;
}
