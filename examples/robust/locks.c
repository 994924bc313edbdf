//@ run: robust --calls 4 -D SPIN
//@ expect: holds
//@ run: robust --prove -D SPIN
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 4 -D SPIN -D TAKE=relaxed
//@ expect: violated witness.kind=order
//@ run: robust --calls 4 -D SPIN -D GIVE=relaxed
//@ expect: violated witness.kind=order
//@ run: robust --calls 4 -D TICKET
//@ expect: holds
//@ run: robust --prove -D TICKET
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 4 -D TICKET -D TAKE=relaxed
//@ expect: violated witness.kind=order
//@ run: robust --calls 4 -D TEST
//@ expect: holds
//@ run: robust --prove -D TEST
//@ expect: holds scope.calls=unbounded
// A register behind a lock of three kinds. Its own accesses are relaxed: all order comes from the lock,
// which acquires when it is taken and releases when it is given back.
#include "modes.h"

#ifndef TAKE
#define TAKE acquire
#endif
#ifndef GIVE
#define GIVE release
#endif

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static atomic_int value_;

#if defined SPIN
static atomic_int taken;
static void lock(void)
{
    int free = 0;
    while (!atomic_compare_exchange_strong_explicit(&taken, &free, 1, ORDER(TAKE), memory_order_relaxed))
        free = 0;
}
static void unlock(void) { STORE(taken, 0, GIVE); }
#elif defined TEST
static atomic_int taken;
static void lock(void)
{
    for (;;) {
        while (LOAD(taken, relaxed))
            ;
        if (!atomic_exchange_explicit(&taken, 1, ORDER(TAKE)))
            return;
    }
}
static void unlock(void) { STORE(taken, 0, GIVE); }
#else
static atomic_uint next, serving;
static void lock(void)
{
    unsigned number = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (LOAD(serving, TAKE) != number)
        ;
}
static void unlock(void) { STORE(serving, LOAD(serving, relaxed) + 1, GIVE); }
#endif

void put(int value)
{
    lock();
    STORE(value_, value, relaxed);
    unlock();
}

int get(void)
{
    lock();
    int found = LOAD(value_, relaxed);
    unlock();
    return found;
}
