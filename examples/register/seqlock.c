//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory ra
//@ expect: holds
//@ run: verify --memory rc11
//@ expect: holds
// A sequence lock: one writer never waits, readers retry if a write got in between.
//
// The sequence number is odd while a write is going on. A reader takes the number, reads the data,
// takes the number again, and keeps what it read only if both are equal and even.
//
// Memory orders. The data are atomic (relaxed), because readers do read them during a write and
// throw the result away; as plain data that would be a race. The writer's release fence keeps the
// data stores behind the odd number, its final store releases them. The reader's acquire load
// and acquire fence keep the data loads between the two looks at the number. All four are
// necessary: with any one relaxed, a reader can get half of a write. Everything else is relaxed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint seq;
static atomic_int x, y; /* always equal, seen from outside */

static void write_pair(int value) /* one writer only */
{
    unsigned s = atomic_load_explicit(&seq, memory_order_relaxed);
    atomic_store_explicit(&seq, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&x, value, memory_order_relaxed);
    atomic_store_explicit(&y, value, memory_order_relaxed);
    atomic_store_explicit(&seq, s + 2, memory_order_release);
}

static void read_pair(int *px, int *py)
{
    unsigned before, after;
    do {
        before = atomic_load_explicit(&seq, memory_order_acquire);
        *px = atomic_load_explicit(&x, memory_order_relaxed);
        *py = atomic_load_explicit(&y, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&seq, memory_order_relaxed);
    } while (before % 2 != 0 || before != after);
}

/* The client: one writer, one reader that reads twice. */
static void *writer(void *arg)
{
    (void)arg;
    write_pair(1);
    write_pair(2);
    return 0;
}

static void *reader(void *arg)
{
    (void)arg;
    int a, b, c, d;
    read_pair(&a, &b);
    assert(a == b); /* never half of a write */
    read_pair(&c, &d);
    assert(c == d && c >= a); /* and never back in time */
    return 0;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
