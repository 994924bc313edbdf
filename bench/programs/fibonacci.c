// Two threads add each other's number to their own, five times, and a third looks on.
// 525,630 executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define ROUNDS 5

atomic_int x = 1, y = 1;

static void *left(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int mine = atomic_load_explicit(&x, memory_order_acquire);
        int other = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&x, mine + other, memory_order_release);
    }
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int mine = atomic_load_explicit(&y, memory_order_acquire);
        int other = atomic_load_explicit(&x, memory_order_acquire);
        atomic_store_explicit(&y, mine + other, memory_order_release);
    }
    return NULL;
}

static void *look(void *unused)
{
    (void)unused;
    assert(atomic_load_explicit(&x, memory_order_acquire) <= 144);
    assert(atomic_load_explicit(&y, memory_order_acquire) <= 144);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    return 0;
}
