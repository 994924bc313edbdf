// A read that synchronises with the write it sees, and writes that do not see each other.
//@ run: check --level R --calls 3
//@ expect: holds
//@ run: check --level RD --calls 3
//@ expect: holds
//@ run: check --level RI --calls 3
//@ expect: violated  witness.kind=sync
//@ run: check --level total --calls 3
//@ expect: violated  witness.kind=sync
#include <stdatomic.h>

#pragma lineal object register level=R args=equality
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static atomic_int cell;

void put(int value)
{
    atomic_exchange_explicit(&cell, value, memory_order_release);
}

int get(void)
{
    return atomic_fetch_add_explicit(&cell, 0, memory_order_acquire);
}
