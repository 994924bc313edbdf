// Chase and Lev's work-stealing deque as an object: every client with one owner.
//
// What it is. The deque of chase-lev.c, with a steal that tries again when it loses the race for an
// element, so that it answers empty only if the deque was.
// From: Chase and Lev, SPAA 2005; memory orders after Lê, Pop, Cohen and Zappa Nardelli, PPoPP 2013.
//
// Linearization points. Push: the store to bottom. Take: the store that lowers bottom, or the swap on
// top if one element is left, or the load of top if none. Steal: the swap on top; empty: the load of
// bottom.
//
// Why these access modes. See chase-lev.c. Without the fence in take (-DNO_FENCE) the owner's load of
// top may miss a thief who got the last but one element, and both get the last.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --calls 6
//@ expect: holds
//@ run-full: check --calls 8
//@ expect: holds
//@ run: check --calls 5 -DNO_FENCE
//@ expect: violated
#include <stdatomic.h>

#pragma lineal object deque level=R args=independent
#pragma lineal op push-back = push(value)
#pragma lineal op pop-back  = take() -> value, empty if result == 0
#pragma lineal op pop-front = steal() -> value, empty if result == 0
#pragma lineal role owner: push-back, pop-back max=1

enum { SIZE = 16 };

static atomic_int top, bottom;
static atomic_int cell[SIZE];

void push(int value) /* owner only */
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&cell[b % SIZE], value, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

int take(void) /* owner only */
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
#ifndef NO_FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t > b) { /* empty: undo */
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
        return 0;
    }
    int value = atomic_load_explicit(&cell[b % SIZE], memory_order_relaxed);
    if (t == b) { /* the last element: a thief may be after it */
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
            value = 0;
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
    return value;
}

int steal(void) /* anyone */
{
    for (;;) {
        int t = atomic_load_explicit(&top, memory_order_acquire);
        atomic_thread_fence(memory_order_seq_cst);
        int b = atomic_load_explicit(&bottom, memory_order_acquire);
        if (t >= b)
            return 0;
        int value = atomic_load_explicit(&cell[t % SIZE], memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
            return value;
    }
}
