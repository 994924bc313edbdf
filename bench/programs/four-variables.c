// Two readers and two writers of four variables. One writer writes each variable twice, so each
// has 3 orders of its writes and 4 values for either reader: 48^4 = 5,308,416 executions.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define VARIABLES 4

atomic_int v[VARIABLES];

static void *once(void *unused)
{
    (void)unused;
    for (int i = 0; i < VARIABLES; i++)
        atomic_store_explicit(&v[i], 1, memory_order_relaxed);
    return NULL;
}

static void *twice(void *unused)
{
    (void)unused;
    for (int value = 2; value <= 3; value++)
        for (int i = 0; i < VARIABLES; i++)
            atomic_store_explicit(&v[i], value, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    for (int i = 0; i < VARIABLES; i++)
        (void)atomic_load_explicit(&v[i], memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, once, NULL);
    pthread_create(&threads[3], NULL, twice, NULL);
    return 0;
}
