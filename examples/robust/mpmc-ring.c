//@ run: robust --calls 4 -D WAITS
//@ expect: holds
//@ run: robust --prove -D WAITS
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 4 -D WAITS -D PLACE=relaxed
//@ expect: holds
//@ run: robust --prove -D WAITS -D PLACE=relaxed
//@ expect: holds scope.calls=unbounded
//@ run: robust --calls 4
//@ expect: violated witness.kind=order
//@ run: robust --calls 4 -D PLACE=relaxed
//@ expect: violated witness.kind=order
//@ run: robust --calls 4 -D WAITS -D TURN=relaxed
//@ expect: violated witness.kind=order
// Vyukov's bounded queue, two slots: each slot has a number that says whose turn it is. If calls wait for
// their slot, it is robust. If they come back from a full or empty queue, a stale number can tell of
// an order that does not exist.
#include "modes.h"

#ifndef PLACE
#define PLACE acq_rel
#endif
#ifndef TURN
#define TURN acquire
#endif

#pragma lineal object queue level=none args=independent
#pragma lineal init start()
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

enum { SLOTS = 2 };
static struct {
    atomic_uint turn;
    atomic_int value;
} slot[SLOTS];
static atomic_uint back, front;

void start(void)
{
    for (unsigned i = 0; i < SLOTS; i++)
        atomic_init(&slot[i].turn, i);
}

#ifdef WAITS
void enqueue(int value)
{
    unsigned mine = atomic_fetch_add_explicit(&back, 1, ORDER(PLACE));
    while (LOAD(slot[mine % SLOTS].turn, TURN) != mine)
        ;
    STORE(slot[mine % SLOTS].value, value, relaxed);
    STORE(slot[mine % SLOTS].turn, mine + 1, release);
}

int dequeue(void)
{
    unsigned mine = atomic_fetch_add_explicit(&front, 1, ORDER(PLACE));
    while (LOAD(slot[mine % SLOTS].turn, TURN) != mine + 1)
        ;
    int value = LOAD(slot[mine % SLOTS].value, relaxed);
    STORE(slot[mine % SLOTS].turn, mine + SLOTS, release);
    return value;
}
#else
void enqueue(int value)
{
    for (;;) {
        unsigned mine = LOAD(back, relaxed);
        unsigned turn = LOAD(slot[mine % SLOTS].turn, TURN);
        if ((int)(turn - mine) < 0)
            return; /* full */
        if (turn == mine
            && atomic_compare_exchange_strong_explicit(&back, &mine, mine + 1, ORDER(PLACE),
                                                       memory_order_relaxed)) {
            STORE(slot[mine % SLOTS].value, value, relaxed);
            STORE(slot[mine % SLOTS].turn, mine + 1, release);
            return;
        }
    }
}

int dequeue(void)
{
    for (;;) {
        unsigned mine = LOAD(front, relaxed);
        unsigned turn = LOAD(slot[mine % SLOTS].turn, TURN);
        if ((int)(turn - (mine + 1)) < 0)
            return 0; /* empty */
        if (turn == mine + 1
            && atomic_compare_exchange_strong_explicit(&front, &mine, mine + 1, ORDER(PLACE),
                                                       memory_order_relaxed)) {
            int value = LOAD(slot[mine % SLOTS].value, relaxed);
            STORE(slot[mine % SLOTS].turn, mine + SLOTS, release);
            return value;
        }
    }
}
#endif
