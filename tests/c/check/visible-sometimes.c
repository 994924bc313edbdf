// A fence in some executions only: the calls answer the same with it and without, but what they
// may miss is not the same.
//@ run: check --memory tso --calls 2
//@ expect: violated  witness.kind=sync
//@ run: check --memory tso --calls 2 -DWHEN=1
//@ expect: violated  witness.kind=sync
//@ run: check --memory sc --calls 2
//@ expect: holds
#include <stdatomic.h>

#pragma lineal object spec level=(meet->meet)
#pragma lineal op meet = meet()
#pragma lineal spec meet = nothing()

#ifndef WHEN
#define WHEN 0
#endif

int __VERIFIER_nondet_range(int low, int high);

void meet(void)
{
    if (__VERIFIER_nondet_range(0, 1) == WHEN)
        atomic_thread_fence(memory_order_seq_cst);
}

void nothing(void) { }
