// One macro, two loads: its text is one access, and is changed once.
//@ run: check --weaken --calls 3
//@ expect: holds  rewrite.verified=true  rewrite.minimal=true  rewrite.accesses=2  rewrite.changes.len=2
#include <stdatomic.h>

#pragma lineal object register level=R args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

#define LOAD(p) atomic_load_explicit((p), memory_order_seq_cst)
#define STORE(p, v) \
    atomic_store((p), (v))

static atomic_int cell;

void put(int value)
{
    STORE(&cell, value);
}

int get(void)
{
    int first = LOAD(&cell);
    return first ? first : LOAD(&cell);
}
