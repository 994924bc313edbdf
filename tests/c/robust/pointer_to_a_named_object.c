//@ run: robust --prove
//@ expect: unknown
//@ run: robust --calls 2
//@ expect: violated witness.kind=order
//@ note: what is read through `p` is `v`
#include <stdatomic.h>
#pragma lineal object spec args=independent
#pragma lineal op a = a() -> value
#pragma lineal op b = b() -> value

static atomic_int v, f, once;
static atomic_int *p = &v;

int a(void)
{
    if (atomic_exchange_explicit(&once, 1, memory_order_acq_rel))
        return 1;
    atomic_store_explicit(&v, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&f, 1, memory_order_relaxed);
    return 0;
}

int b(void)
{
    while (!atomic_load_explicit(&f, memory_order_relaxed))
        ;
    return atomic_load_explicit(p, memory_order_relaxed);
}
