//@ run: robust --calls 6 -D WAITS
//@ expect: holds
//@ run: robust --prove -D WAITS
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 5 -D WAITS -D PLACE=relaxed
//@ expect: holds
//@ run: robust --calls 5
//@ expect: violated
//@ run: robust --calls 5 -D WAITS -D LOOK=relaxed
//@ expect: violated
// A queue without bounds for any number of producers and consumers: both draw places, in an array that
// nobody reaches the end of. A slot points to its element. If dequeues wait for their place, it is robust.
// If they come back from an empty place, they tell of an order that nothing enforces.
#include "modes.h"
#include <stdlib.h>

#ifndef PLACE
#define PLACE acq_rel
#endif
#ifndef LOOK
#define LOOK acquire
#endif

#pragma lineal object queue level=none args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

struct item {
    atomic_int value;
};
enum { SLOTS = 8 };
static struct item *_Atomic slot[SLOTS];
static atomic_uint back, front;

void enqueue(int value)
{
    struct item *mine = malloc(sizeof *mine);
    STORE(mine->value, value, relaxed);
    STORE(slot[atomic_fetch_add_explicit(&back, 1, ORDER(PLACE))], mine, release);
}

int dequeue(void)
{
    struct item *found;
#ifdef WAITS
    unsigned place = atomic_fetch_add_explicit(&front, 1, ORDER(PLACE));
    while (!(found = LOAD(slot[place], LOOK)))
        ;
#else
    unsigned place;
    do {
        place = LOAD(front, acquire);
        found = LOAD(slot[place], LOOK);
        if (!found)
            return 0;
    } while (!atomic_compare_exchange_strong_explicit(&front, &place, place + 1, ORDER(PLACE),
                                                      memory_order_relaxed));
#endif
    return LOAD(found->value, relaxed);
}
