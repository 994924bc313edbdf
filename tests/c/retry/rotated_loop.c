//@ run: verify -DSHAPE=0
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify -DSHAPE=1
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify -DSHAPE=2
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify -DSHAPE=3
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify -DSHAPE=4
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify -DSHAPE=5
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify -DSHAPE=6
//@ expect: holds
//@ run: verify -DSHAPE=1 --memory sc
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify -DSHAPE=1 --memory tso
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify -DSHAPE=1 --memory ra
//@ expect: holds stats.executions=1 stats.blocked=0
//@ run: verify -DSHAPE=1 -DWEAK_INSIDE
//@ expect: violated witness.kind=race
//@ run: verify -DSHAPE=1 -DWEAK_BEFORE
//@ expect: violated witness.kind=race
//@ run: verify -DSHAPE=1 --no-reduction iterations
//@ expect: holds
//@ run: verify -DSHAPE=1 --unroll 3
//@ expect: holds scope.bounds.0.value=3
// A loop whose iterations begin before it costs what the same loop costs when it is written in one
// place. The last writes of three threads are the only ones that let the reader go: one execution.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1, y;
static int data;

#ifdef WEAK_BEFORE
#define BEFORE memory_order_relaxed
#else
#define BEFORE memory_order_acquire
#endif
#ifdef WEAK_INSIDE
#define INSIDE memory_order_relaxed
#else
#define INSIDE memory_order_acquire
#endif

static int look(atomic_int *cell) { return atomic_load_explicit(cell, memory_order_acquire); }

static void *reader(void *_) {
    int a, b;
#if SHAPE == 0
    for (;;) {
        a = atomic_load_explicit(&x, memory_order_acquire);
        b = atomic_load_explicit(&y, memory_order_acquire);
        if (!a && b)
            break;
    }
#elif SHAPE == 1
    a = atomic_load_explicit(&x, BEFORE);
    b = atomic_load_explicit(&y, BEFORE);
    while (a || !b) {
        a = atomic_load_explicit(&x, INSIDE);
        b = atomic_load_explicit(&y, INSIDE);
    }
#elif SHAPE == 2
    for (a = look(&x), b = look(&y); a || !b; a = look(&x), b = look(&y))
        ;
#elif SHAPE == 3
    int first = atomic_load_explicit(&x, memory_order_acquire), second = look(&y);
    while (first || !second) {
        first = atomic_load_explicit(&x, memory_order_acquire);
        second = look(&y);
    }
    a = b = 0;
#elif SHAPE == 4
    a = look(&x);
    b = look(&y);
again:
    if (a || !b) {
        if (a == 2) {
            a = look(&x);
            b = look(&y);
            goto again;
        }
        a = look(&x);
        b = look(&y);
        goto again;
    }
#elif SHAPE == 5
    a = look(&x), b = look(&y);
    while (a || !b) {
        if (a > 2) {
            a = look(&x), b = look(&y);
            continue;
        }
        a = look(&x), b = look(&y);
    }
#elif SHAPE == 6
    // A branch in it: taken as it stands, read by read.
    a = look(&x), b = 0;
    if (!a)
        b = look(&y);
    while (a || !b) {
        a = look(&x), b = 0;
        if (!a)
            b = look(&y);
    }
#endif
    assert(data == 7);
    return 0;
}

static void *writer(void *_) {
    data = 7;
    for (int i = 2; i < 5; i++)
        atomic_store_explicit(&x, i, memory_order_release);
    atomic_store_explicit(&x, 0, memory_order_release);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, reader, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_create(&t[2], 0, writer, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
