//@ run: robust --prove
//@ expect: unknown
//@ run: robust --calls 2
//@ expect: violated witness.kind=unsafe
//@ note: `*p` is `v`, which is plain
#include <stdatomic.h>
#pragma lineal object spec args=independent
#pragma lineal role w: a max=1
#pragma lineal op a = a() -> value
#pragma lineal op b = b() -> value

static int v;
static int *p = &v;
static atomic_int f;

int a(void)
{
    if (atomic_load_explicit(&f, memory_order_relaxed))
        return 1;
    v = 1;
    atomic_store_explicit(&f, 1, memory_order_relaxed);
    return 0;
}

int b(void)
{
    return atomic_load_explicit(&f, memory_order_relaxed) ? *p : 0;
}
