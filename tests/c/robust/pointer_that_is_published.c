//@ run: robust --prove
//@ expect: unknown
//@ run: robust --calls 5
//@ expect: violated witness.kind=order
//@ note: an operation publishes the address of `v`
#include <stdatomic.h>
#pragma lineal object spec args=independent
#pragma lineal role w: a max=1
#pragma lineal op a = a(value)
#pragma lineal op b = b() -> value

static atomic_int v;
static atomic_int *_Atomic p;

void a(int value)
{
    atomic_store_explicit(&v, value, memory_order_relaxed);
    atomic_store_explicit(&p, &v, memory_order_release);
}

int b(void)
{
    atomic_int *m = atomic_load_explicit(&p, memory_order_acquire);
    return m ? atomic_load_explicit(m, memory_order_relaxed) : 0;
}
