//@ run: check
//@ expect: holds
//@ run: check --memory sc
//@ expect: holds
//@ run: check -DIN_ONE_PLACE
//@ expect: holds
// A lock that looks before it swaps, before the loop and in it.
#include <stdatomic.h>

#pragma lineal object lock level=none
#pragma lineal op lock = acquire()
#pragma lineal op unlock = release()

static atomic_int taken;

static void acquire(void) {
    int seen;
#ifdef IN_ONE_PLACE
    do {
#endif
        seen = atomic_load_explicit(&taken, memory_order_relaxed);
        if (!seen)
            seen = atomic_exchange_explicit(&taken, 1, memory_order_acquire);
#ifdef IN_ONE_PLACE
    } while (seen);
#else
    while (seen) {
        seen = atomic_load_explicit(&taken, memory_order_relaxed);
        if (!seen)
            seen = atomic_exchange_explicit(&taken, 1, memory_order_acquire);
    }
#endif
}

static void release(void) { atomic_store_explicit(&taken, 0, memory_order_release); }
