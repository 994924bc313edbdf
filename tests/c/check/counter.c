//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 4 --level R
//@ expect: holds
//@ run: check --calls 4 --level R -DORDER=memory_order_relaxed
//@ expect: violated  witness.kind=sync  witness.calls=2
// A counter: one read-modify-write.
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_acq_rel
#endif
#pragma lineal object counter
#pragma lineal op inc = inc()
#pragma lineal op read = get() -> value
static atomic_int n;
void inc(void) { atomic_fetch_add_explicit(&n, 1, ORDER); }
int get(void) { return atomic_load_explicit(&n, memory_order_acquire); }
