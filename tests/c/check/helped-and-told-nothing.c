//@ run: check --level R --calls 4
//@ expect: holds
//@ run: check --level RI --calls 4
//@ expect: violated
//@ run: check --level RI --calls 4 --no-reduction helping
//@ expect: violated
// A queue after Michael and Scott in which an enqueue learns of the one before it only when its own
// swap of `tail` succeeds, and not when a dequeue has moved `tail` on for it.
#include <stdatomic.h>

#pragma lineal object queue level=R args=independent
#pragma lineal threads alike
#pragma lineal op enqueue = enqueue(thread, value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

enum { THREADS = 8, NODES = 1 + THREADS * 4 };
int used[THREADS];
_Atomic int value_of[NODES], next[NODES];
_Atomic int head, tail;

static int swing(_Atomic int *place, int from, int to)
{
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_acq_rel, memory_order_relaxed);
}

void enqueue(int thread, int value)
{
    int mine = thread * 4 + ++used[thread];
    atomic_store_explicit(&value_of[mine], value, memory_order_relaxed);
    for (;;) {
        int last = atomic_load_explicit(&tail, memory_order_relaxed);
        if (swing(&next[last], 0, mine)) {
            swing(&tail, last, mine);
            return;
        }
    }
}

int dequeue(void)
{
    for (;;) {
        int first = atomic_load_explicit(&head, memory_order_acquire);
        int last = atomic_load_explicit(&tail, memory_order_acquire);
        int second = atomic_load_explicit(&next[first], memory_order_acquire);
        if (first == last) {
            if (second == 0)
                return 0;
            swing(&tail, last, second);
            continue;
        }
        int value = atomic_load_explicit(&value_of[second], memory_order_relaxed);
        if (swing(&head, first, second))
            return value;
    }
}
