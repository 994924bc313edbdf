// One writer, fifteen readers: 2^15 executions.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define READERS 15

atomic_int x;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t source, readers[READERS];
    pthread_create(&source, NULL, writer, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    return 0;
}
