//@ run: robust --calls 4
//@ expect: violated witness.kind=order
//@ run: robust --calls 4 -D SLOT=relaxed
//@ expect: violated witness.kind=order
//@ run: robust --calls 5 -D UPDATES
//@ expect: holds
//@ run-full: robust --calls 6 -D UPDATES
//@ expect: violated witness.kind=order
// The queue of Herlihy and Wing, with release and acquire everywhere: no memory orders short of seq_cst
// are known to make it robust. An enqueue draws a place and fills it later; a dequeue passes over a place
// that it finds empty, though the enqueue may be over: of `enqueue; dequeue` in two threads, each
// dequeue may pass over the other's element. With `back` read by an update (UPDATES), dequeues are
// ordered by it, and it takes six calls.
#include "modes.h"

#ifndef SLOT
#define SLOT release
#endif

#pragma lineal object queue level=none args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value

enum { SLOTS = 8 };
static atomic_int back, slot[SLOTS];

void enqueue(int value)
{
    int mine = atomic_fetch_add_explicit(&back, 1, memory_order_acq_rel);
    STORE(slot[mine], value, SLOT);
}

int dequeue(void)
{
    for (;;) {
#ifdef UPDATES
        int end = atomic_fetch_add_explicit(&back, 0, memory_order_acq_rel);
#else
        int end = LOAD(back, acquire);
#endif
        for (int i = 0; i < end; i++) {
            if (!LOAD(slot[i], acquire))
                continue;
            int value = atomic_exchange_explicit(&slot[i], 0, memory_order_acq_rel);
            if (value)
                return value;
        }
    }
}
