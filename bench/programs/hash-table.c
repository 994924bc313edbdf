// Fifteen threads put four keys each into a hash table with linear probing, by compare-and-swap.
// Only some keys meet: 4,096 executions.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define THREADS 15
#define SLOTS 128
#define KEYS 4

atomic_int table[SLOTS];

static void *insert(void *argument)
{
    int thread = (int)(intptr_t)argument;
    for (int i = 1; i <= KEYS; i++) {
        int key = i * 11 + thread;
        int slot = key * 7 % SLOTS;
        int empty = 0;
        while (!atomic_compare_exchange_strong_explicit(&table[slot], &empty, key, memory_order_relaxed,
                                                        memory_order_relaxed)) {
            slot = (slot + 1) % SLOTS;
            empty = 0;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, insert, (void *)(intptr_t)i);
    return 0;
}
