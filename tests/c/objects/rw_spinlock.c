//@ run: verify --memory sc
//@ expect: holds
// A read-write spin lock in one word: readers count up, a writer takes the word from zero to minus one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int word;
static int a, b;

static void *writer(void *x)
{
    (void)x;
    int zero = 0;
    while (!atomic_compare_exchange_strong_explicit(&word, &zero, -1, memory_order_acquire, memory_order_relaxed))
        zero = 0;
    a++;
    b++;
    atomic_store_explicit(&word, 0, memory_order_release);
    return 0;
}

static void *reader(void *x)
{
    (void)x;
    int n = atomic_load_explicit(&word, memory_order_relaxed);
    do {
        while (n < 0)
            n = atomic_load_explicit(&word, memory_order_relaxed);
    } while (!atomic_compare_exchange_strong_explicit(&word, &n, n + 1, memory_order_acquire, memory_order_relaxed));
    assert(a == b);
    atomic_fetch_sub_explicit(&word, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_create(&t[2], 0, reader, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(a == 1 && word == 0);
    return 0;
}
