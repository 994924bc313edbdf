// Both sides of a hand-over are relaxed: it takes two changes, and no single one helps.
//@ run: check --calls 2
//@ expect: violated  witness.kind=sync
//@ run: check --repair --calls 3
//@ expect: violated holds  results[1].rewrite.minimal=true  results[1].rewrite.verified=true  results[1].rewrite.changes.len=2  exit=1
#include <stdatomic.h>

#pragma lineal object register level=R args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static atomic_int cell;

void put(int value)
{
    atomic_store_explicit(&cell, value, memory_order_relaxed);
}

int get(void)
{
    return atomic_load_explicit(&cell, memory_order_relaxed);
}
