//@ run: verify --memory rc11
//@ expect: violated witness.kind=race
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The ring for many producers and consumers with one wrong order: get gives the cell back with a
// relaxed store. A producer of the next round may overwrite the value while it is still being read.
// See mpmc-ring.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { CELLS = 2 };

struct cell {
    atomic_uint seq;
    int value; /* plain: owned by whoever won the position */
};

static struct cell cells[CELLS] = { { 0, 0 }, { 1, 0 } };
static atomic_uint put_at, get_at;

static bool put(int value)
{
    unsigned pos = atomic_load_explicit(&put_at, memory_order_relaxed);
    for (;;) {
        struct cell *c = &cells[pos % CELLS];
        int ahead = (int)(atomic_load_explicit(&c->seq, memory_order_acquire) - pos);
        if (ahead < 0)
            return false; /* full: the element of the last round is still there */
        if (ahead > 0)
            pos = atomic_load_explicit(&put_at, memory_order_relaxed); /* we are late */
        else if (atomic_compare_exchange_strong_explicit(&put_at, &pos, pos + 1, memory_order_relaxed,
                                                         memory_order_relaxed)) {
            c->value = value;
            atomic_store_explicit(&c->seq, pos + 1, memory_order_release);
            return true;
        }
    }
}

static bool get(int *value)
{
    unsigned pos = atomic_load_explicit(&get_at, memory_order_relaxed);
    for (;;) {
        struct cell *c = &cells[pos % CELLS];
        int ahead = (int)(atomic_load_explicit(&c->seq, memory_order_acquire) - (pos + 1));
        if (ahead < 0)
            return false; /* empty, or the put at this position is not finished */
        if (ahead > 0)
            pos = atomic_load_explicit(&get_at, memory_order_relaxed);
        else if (atomic_compare_exchange_strong_explicit(&get_at, &pos, pos + 1, memory_order_relaxed,
                                                         memory_order_relaxed)) {
            *value = c->value;
            atomic_store_explicit(&c->seq, pos + CELLS, memory_order_relaxed); /* BUG */
            return true;
        }
    }
}

/* The client: one producer puts 1 and then, if there is room, 3; the other puts 2, if there is
   room; a consumer tries once. */
static int got;
static bool second, third;

static void *first_producer(void *arg)
{
    (void)arg;
    bool first = put(1);
    assert(first); /* two cells, and 3 comes later: there is room */
    third = put(3);
    return 0;
}

static void *second_producer(void *arg)
{
    (void)arg;
    second = put(2);
    return 0;
}

static void *consumer(void *arg)
{
    (void)arg;
    if (!get(&got))
        got = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, first_producer, 0);
    pthread_create(&b, 0, second_producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);

    assert(second || third);                  /* one of them finds the other cell free */
    assert(!(second && third) || got != 0);   /* both, only if the consumer made room */
    int last = got, sum = got, v;
    while (get(&v)) {
        assert(!(v == 1 && last == 3));       /* in order, from each producer */
        last = v == 3 ? 3 : last;
        sum += v;
    }
    assert(sum == 1 + 2 * second + 3 * third); /* each element once */
    return 0;
}
