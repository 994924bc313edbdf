// Insertions see each other and removals see each other, but an insertion sees no removal.
//@ run: check --level R --calls 3
//@ expect: holds
//@ run: check --level RI --calls 3
//@ expect: holds
//@ run: check --level RD --calls 3
//@ expect: holds
//@ run: check --level RID --calls 3
//@ expect: holds
//@ run: check --level total --calls 3
//@ expect: violated  witness.kind=sync
#include <stdatomic.h>

#pragma lineal object bag level=RID args=independent
#pragma lineal op add = add(value)
#pragma lineal op remove = take() -> value

static atomic_int slot[8], next, taken;

void add(int value)
{
    int i = atomic_fetch_add_explicit(&next, 1, memory_order_acq_rel);
    atomic_store_explicit(&slot[i], value, memory_order_release);
}

/* Waits until there is something. */
int take(void)
{
    for (;;) {
        int n = atomic_load_explicit(&next, memory_order_relaxed);
        for (int i = 0; i < n; i++) {
            int v = atomic_exchange_explicit(&slot[i], 0, memory_order_acquire);
            if (v != 0) {
                atomic_fetch_add_explicit(&taken, 1, memory_order_acq_rel);
                return v;
            }
        }
    }
}
