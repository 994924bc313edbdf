// Orders that are not written where they are used: what to change is said, and no diff is given.
//@ run: check --weaken --calls 3 -DORDER=memory_order_seq_cst
//@ expect: holds  rewrite.verified=false  rewrite.minimal=true  rewrite.changes.len=2  rewrite.changes[0].by_hand="its order is not written there"
#include <stdatomic.h>

#pragma lineal object register level=R args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

static atomic_int cell;

void put(int value)
{
    atomic_store_explicit(&cell, value, ORDER);
}

int get(void)
{
    const memory_order order = ORDER;
    (void)order;
    return atomic_load_explicit(&cell, ORDER);
}
