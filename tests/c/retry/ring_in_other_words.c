//@ run: check --calls 5 -DSHAPE=0
//@ expect: holds stats.executions=45 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=1
//@ expect: holds stats.executions=45 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=2
//@ expect: holds stats.executions=45 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=3
//@ expect: holds stats.executions=45 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=4
//@ expect: holds stats.executions=45 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=5
//@ expect: holds stats.executions=45 stats.blocked=0
// A bounded queue of slots with sequence numbers, its loops in other words: the same executions.
#include <stdatomic.h>

#ifndef SHAPE
#define SHAPE 0
#endif

#pragma lineal object queue level=R args=independent
#pragma lineal init start()
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

enum { SIZE = 8 };

static struct {
    atomic_int turn;
    int value;
} slots[SIZE];
static atomic_int in, out;

void start(void)
{
    for (int i = 0; i < SIZE; i++)
        atomic_store_explicit(&slots[i].turn, i, memory_order_relaxed);
}

static int turn_of(int at) { return atomic_load_explicit(&slots[at % SIZE].turn, memory_order_acquire); }

static int claim(atomic_int *next, int at)
{
    return atomic_compare_exchange_strong_explicit(next, &at, at + 1, memory_order_acq_rel, memory_order_relaxed);
}

/* One attempt: whether the value is in. There are more slots than calls, so it is never full. */
static int put(int value)
{
    int at = atomic_load_explicit(&in, memory_order_relaxed);
    if (turn_of(at) != at || !claim(&in, at))
        return 0;
    slots[at % SIZE].value = value;
    atomic_store_explicit(&slots[at % SIZE].turn, at + 1, memory_order_release);
    return 1;
}

/* One attempt: whether there is an answer. */
static int take(int *value)
{
    int at = atomic_load_explicit(&out, memory_order_acquire);
    if (turn_of(at) != at + 1) {
        if (atomic_load_explicit(&in, memory_order_acquire) != at)
            return 0;
        *value = 0;
        return 1;
    }
    if (!claim(&out, at))
        return 0;
    *value = slots[at % SIZE].value;
    atomic_store_explicit(&slots[at % SIZE].turn, at + SIZE, memory_order_release);
    return 1;
}

void enqueue(int value)
{
#if SHAPE == 0
    for (;;)
        if (put(value))
            return;
#elif SHAPE == 1
    while (1) {
        if (put(value))
            break;
    }
#elif SHAPE == 2
    int done;
    do
        done = put(value);
    while (!done);
#elif SHAPE == 3
again:
    if (!put(value))
        goto again;
#elif SHAPE == 4
    while (!put(value)) {
    }
#elif SHAPE == 5
    for (;;) {
        if (!put(value))
            continue;
        break;
    }
#endif
}

int dequeue(void)
{
    int value;
#if SHAPE == 0
    for (;;)
        if (take(&value))
            return value;
#elif SHAPE == 1
    while (1) {
        if (take(&value))
            break;
    }
#elif SHAPE == 2
    int done;
    do
        done = take(&value);
    while (!done);
#elif SHAPE == 3
again:
    if (!take(&value))
        goto again;
#elif SHAPE == 4
    while (!take(&value)) {
    }
#elif SHAPE == 5
    for (;;) {
        if (!take(&value))
            continue;
        break;
    }
#endif
    return value;
}
