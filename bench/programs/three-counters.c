// Four threads add one to each of three counters: (4!)^3 executions.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 4

atomic_int a, b, c;

static void *increment(void *unused)
{
    (void)unused;
    atomic_fetch_add_explicit(&a, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&b, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&c, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    return 0;
}
