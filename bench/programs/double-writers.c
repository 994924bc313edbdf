// Two threads that store and load twice, five that write two variables: 4 ways to buffer, 6 values
// of either variable, 5! orders of the writes to each. 4 * 36 * 120 * 120 = 2,073,600 executions.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define WRITERS 5

atomic_int a, b, x, y;

static void *left(void *unused)
{
    (void)unused;
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&b, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&a, memory_order_relaxed);
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

static void *writer(void *argument)
{
    int value = (int)(intptr_t)argument;
    atomic_store_explicit(&x, value, memory_order_relaxed);
    atomic_store_explicit(&y, value, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t first, second, writers[WRITERS];
    pthread_create(&first, NULL, left, NULL);
    pthread_create(&second, NULL, right, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, writer, (void *)(intptr_t)(i + 1));
    return 0;
}
