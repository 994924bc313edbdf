//@ run: robust --calls 5
//@ expect: holds
//@ run: robust --calls 4 -D LOOK=relaxed
//@ expect: violated witness.kind=order
// An update that looks at two variables and tries again if the first has changed. An attempt may look at
// an old value of the first; it then fails, and what it read does not count. The attempt that succeeds
// has read the last value, and with acquire it knows what that one knew.
// From: Nagar et al., OOPSLA 2024, appendix C.
#include "modes.h"

#ifndef LOOK
#define LOOK acquire
#endif

#pragma lineal object spec level=none args=independent
#pragma lineal op store = store(value)
#pragma lineal op update = update() -> result

static atomic_int updated, stored;

void store(int value) { STORE(stored, value, relaxed); }

int update(void)
{
    for (;;) {
        int old = LOAD(updated, LOOK);
        int seen = LOAD(stored, relaxed);
        if (atomic_compare_exchange_strong_explicit(&updated, &old, old + 1, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return seen;
    }
}
