//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 2 -DORDER=memory_order_relaxed
//@ expect: violated  witness.kind=sync  witness.calls=2
//@ run: check --calls 2 -DLATE
//@ expect: violated  witness.kind=sync  witness.calls=2
//@ run: check --calls 2 -DLATE --level total
//@ expect: violated  witness.kind=sync  witness.calls=2
//@ run: check --calls 2 --level total
//@ expect: holds
//@ run: check --calls 3 -DONCE
//@ expect: violated  witness.kind=result  witness.calls=3
//@ run: check --calls 2 -DNOBODY
//@ expect: violated  witness.kind=result  witness.calls=2
//@ run: check --calls 2 -DOPEN
//@ expect: violated  witness.calls=1
// Two meet, and one of them is told; then the next two. A barrier that opens once lets a third pass
// alone.
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_acq_rel
#endif
#ifdef LATE
#define LOAD memory_order_relaxed /* who came first does not see who came last */
#else
#define LOAD (ORDER == memory_order_relaxed ? memory_order_relaxed : memory_order_acquire)
#endif
#pragma lineal object barrier parties=2
#pragma lineal op wait = meet() -> result
static atomic_int come, rounds;

int meet(void)
{
#ifdef OPEN
    return 1;
#endif
    int before = atomic_fetch_add_explicit(&come, 1, ORDER);
    int mine = before / 2;
#ifdef ONCE
    mine = 0;
#endif
    if (before % 2 == 1) {
        atomic_fetch_add_explicit(&rounds, 1, ORDER);
#ifdef NOBODY
        return 0;
#else
        return 1;
#endif
    }
    while (atomic_load_explicit(&rounds, LOAD) <= mine) { }
    return 0;
}
