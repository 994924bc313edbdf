//@ run: robust --prove
//@ expect: holds scope.calls=unbounded
//@ run: robust --prove -D TAKE=memory_order_relaxed
//@ expect: unknown
// Plain accesses behind a lock: that they do not race is part of the proof. If the lock is taken relaxed,
// there is no proof, of that or of anything else.
#include <stdatomic.h>

#ifndef TAKE
#define TAKE memory_order_acquire
#endif

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static atomic_int taken;
static int value_;

static void lock(void)
{
    int free = 0;
    while (!atomic_compare_exchange_strong_explicit(&taken, &free, 1, TAKE, memory_order_relaxed))
        free = 0;
}

static void unlock(void) { atomic_store_explicit(&taken, 0, memory_order_release); }

void put(int value)
{
    lock();
    value_ = value;
    unlock();
}

int get(void)
{
    lock();
    int found = value_;
    unlock();
    return found;
}
