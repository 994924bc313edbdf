// Ten threads, the i-th of which swaps i-1 for i.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define THREADS 10

atomic_int x;

static void *step(void *argument)
{
    int to = (int)(intptr_t)argument;
    int from = to - 1;
    atomic_compare_exchange_strong_explicit(&x, &from, to, memory_order_relaxed, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, step, (void *)(intptr_t)(i + 1));
    return 0;
}
