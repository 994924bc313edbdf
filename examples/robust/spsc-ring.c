//@ run: robust --calls 5 -D WAITS
//@ expect: holds
//@ run: robust --prove -D WAITS
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 5 -D FENCED
//@ expect: holds
//@ run: robust --prove -D FENCED
//@ expect: holds scope.calls=unbounded
//@ run: robust --prove
//@ expect: unknown
//@ run: robust --calls 5
//@ expect: violated witness.kind=order
//@ run: robust --calls 5 -D WAITS -D PUBLISH=relaxed
//@ expect: violated witness.kind=order
// A ring of two slots for one producer and one consumer. If the calls wait, it is robust. If they
// come back from a full or empty ring, they tell of an order that nothing enforces: both sides may
// have seen the other one late. A seq_cst fence after each publication helps.
#include "modes.h"

#ifndef PUBLISH
#define PUBLISH release
#endif

#pragma lineal object queue level=none args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0
#pragma lineal role producer: enqueue max=1
#pragma lineal role consumer: dequeue max=1

enum { SLOTS = 2 };
static atomic_int slot[SLOTS];
static atomic_uint written, consumed;

void enqueue(int value)
{
    unsigned w = LOAD(written, relaxed);
#ifdef WAITS
    while (w - LOAD(consumed, acquire) == SLOTS)
        ;
#else
    if (w - LOAD(consumed, acquire) == SLOTS)
        return;
#endif
    STORE(slot[w % SLOTS], value, relaxed);
    STORE(written, w + 1, PUBLISH);
#ifdef FENCED
    FENCE(seq_cst);
#endif
}

int dequeue(void)
{
    unsigned c = LOAD(consumed, relaxed);
#ifdef WAITS
    while (LOAD(written, acquire) == c)
        ;
#else
    if (LOAD(written, acquire) == c)
        return 0;
#endif
    int value = LOAD(slot[c % SLOTS], relaxed);
    STORE(consumed, c + 1, PUBLISH);
#ifdef FENCED
    FENCE(seq_cst);
#endif
    return value;
}
