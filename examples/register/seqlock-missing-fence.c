//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The sequence lock with one wrong order: the reader has no fence between the data and its second
// look at the number. That look may then see an older number than the data belong to, and half of a
// write passes for a whole one. (An acquire load does not help: it only holds back what *follows*.)
// Under tso and sc loads stay in order anyway. See seqlock.c.
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
        after = atomic_load_explicit(&seq, memory_order_acquire); /* BUG: acquires too late */
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
