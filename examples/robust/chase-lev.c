//@ run: robust --calls 5
//@ expect: violated witness.kind=order
//@ run: robust --calls 5 -D TAKE=relaxed
//@ expect: violated witness.kind=order
//@ run: robust --calls 5 -D STEAL=relaxed
//@ expect: violated witness.kind=order
//@ run: robust --calls 5 -D TAKE=relaxed -D STEAL=relaxed
//@ expect: violated witness.kind=order
// The deque of Chase and Lev without growing, with both seq_cst fences, only the one in take, only the one
// in steal, and none. Not robust in any of these: a thief that loses the race for an element has read `top`
// without learning what the owner did before, and its next look at `bottom` may be old. The answers are
// those of sequential consistency nevertheless, as `lineal check` says of examples/deque.
// Memory orders after Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013).
#include "modes.h"

#ifndef TAKE
#define TAKE seq_cst
#endif
#ifndef STEAL
#define STEAL seq_cst
#endif
#define FENCE_seq_cst FENCE(seq_cst)
#define FENCE_relaxed (void)0
#define FENCED_(mode) FENCE_##mode
#define FENCED(mode) FENCED_(mode)

#pragma lineal object deque level=none args=independent
#pragma lineal op push-back = push(value)
#pragma lineal op pop-back = take() -> value, empty if result == 0
#pragma lineal op pop-front = steal() -> value, empty if result == 0
#pragma lineal role owner: push-back, pop-back max=1

enum { SLOTS = 8 };
static atomic_int top, bottom, slot[SLOTS];

static int swap(int old)
{
    return atomic_compare_exchange_strong_explicit(&top, &old, old + 1, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

void push(int value)
{
    int b = LOAD(bottom, relaxed);
    STORE(slot[b % SLOTS], value, relaxed);
    FENCE(release);
    STORE(bottom, b + 1, relaxed);
}

int take(void)
{
    int b = LOAD(bottom, relaxed) - 1;
    STORE(bottom, b, relaxed);
    FENCED(TAKE);
    int t = LOAD(top, relaxed);
    int value = 0;
    if (t <= b)
        value = LOAD(slot[b % SLOTS], relaxed);
    if (t == b && !swap(t))
        value = 0;
    if (t >= b)
        STORE(bottom, b + 1, relaxed);
    return value;
}

int steal(void)
{
    int t = LOAD(top, acquire);
    FENCED(STEAL);
    int b = LOAD(bottom, acquire);
    if (t >= b)
        return 0;
    int value = LOAD(slot[t % SLOTS], relaxed);
    return swap(t) ? value : 0;
}
