//@ run: check --calls 5 -DSHAPE=0
//@ expect: holds stats.executions=506 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=1
//@ expect: holds stats.executions=506 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=2
//@ expect: holds stats.executions=506 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=3
//@ expect: holds stats.executions=506 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=4
//@ expect: holds stats.executions=506 stats.blocked=0
//@ run: check --calls 5 -DSHAPE=5
//@ expect: holds stats.executions=506 stats.blocked=0
// A counter whose increments are retried, with its loops in other words: the same executions.
#include <stdatomic.h>

#ifndef SHAPE
#define SHAPE 0
#endif

#pragma lineal object counter
#pragma lineal op inc = inc()
#pragma lineal op read = get() -> value

static atomic_int count;

/* One attempt: whether it is counted. */
static int add(void)
{
    int n = atomic_load_explicit(&count, memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&count, &n, n + 1, memory_order_acq_rel, memory_order_relaxed);
}

void inc(void)
{
#if SHAPE == 0
    for (;;)
        if (add())
            return;
#elif SHAPE == 1
    while (1) {
        if (add())
            break;
    }
#elif SHAPE == 2
    int done;
    do
        done = add();
    while (!done);
#elif SHAPE == 3
again:
    if (!add())
        goto again;
#elif SHAPE == 4
    while (!add()) {
    }
#elif SHAPE == 5
    for (;;) {
        if (!add())
            continue;
        break;
    }
#endif
}

int get(void) { return atomic_load_explicit(&count, memory_order_acquire); }
