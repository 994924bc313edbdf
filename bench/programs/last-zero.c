// Twelve writers, the j-th of which sets a[j] to a[j-1]+1, and a reader that looks for the last
// zero: (n+3) * 2^(n-2) executions, 15,360 for n = 12.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define WRITERS 12

atomic_int a[WRITERS + 1];

static void *writer(void *argument)
{
    int j = (int)(intptr_t)argument;
    int before = atomic_load_explicit(&a[j - 1], memory_order_acquire);
    atomic_store_explicit(&a[j], before + 1, memory_order_release);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    for (int i = WRITERS; atomic_load_explicit(&a[i], memory_order_acquire) != 0; i--)
        ;
    return NULL;
}

int main(void)
{
    pthread_t scan, writers[WRITERS];
    pthread_create(&scan, NULL, reader, NULL);
    for (int j = 1; j <= WRITERS; j++)
        pthread_create(&writers[j - 1], NULL, writer, (void *)(intptr_t)j);
    return 0;
}
