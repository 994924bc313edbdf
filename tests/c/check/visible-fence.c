// A fence alone: of two calls at the same time at least one sees what was written before the other.
//@ run: check --memory sc --calls 3
//@ expect: holds
//@ run: check --memory tso --calls 3
//@ expect: holds
//@ run: check --memory tso --calls 2 -DNO_FENCE
//@ expect: violated  witness.kind=sync
#include <stdatomic.h>

#pragma lineal object spec level=(meet->meet)
#pragma lineal op meet = meet()
#pragma lineal spec meet = nothing()

void meet(void)
{
#ifndef NO_FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

void nothing(void) { }
