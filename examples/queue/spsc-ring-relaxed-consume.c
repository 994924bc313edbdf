//@ run: verify --memory rc11
//@ expect: violated witness.kind=race
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The ring for one producer and one consumer with one wrong order: the consumer gives the slot back
// with a relaxed store. Elements arrive, but the producer may overwrite a slot while it is still being
// read: with two slots, the third element races with the first. See spsc-ring.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SLOTS = 2 };

static int slot[SLOTS]; /* plain: the counters say whose turn it is */
static atomic_uint written, consumed;

static bool put(int value) /* producer only */
{
    unsigned w = atomic_load_explicit(&written, memory_order_relaxed);
    if (w - atomic_load_explicit(&consumed, memory_order_acquire) == SLOTS)
        return false; /* full */
    slot[w % SLOTS] = value;
    atomic_store_explicit(&written, w + 1, memory_order_release);
    return true;
}

static bool get(int *value) /* consumer only */
{
    unsigned c = atomic_load_explicit(&consumed, memory_order_relaxed);
    if (atomic_load_explicit(&written, memory_order_acquire) == c)
        return false; /* empty */
    *value = slot[c % SLOTS];
    atomic_store_explicit(&consumed, c + 1, memory_order_relaxed); /* BUG */
    return true;
}

/* The client: three elements through two slots, in order. */
static int received[3];

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 1; i <= 3; i++)
        while (!put(i))
            ;
    return 0;
}

static void *consumer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++)
        while (!get(&received[i]))
            ;
    return 0;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    assert(received[0] == 1 && received[1] == 2 && received[2] == 3);
    assert(!get(&received[0]));
    return 0;
}
