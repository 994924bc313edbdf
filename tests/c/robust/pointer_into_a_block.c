//@ run: robust --prove
//@ expect: unknown
//@ run: robust --calls 2
//@ expect: violated witness.kind=order
//@ note: `z` is the second element of what `q` points to
#include <stdatomic.h>
#include <stdlib.h>
#pragma lineal object spec args=independent
#pragma lineal init start()
#pragma lineal role w: a max=1
#pragma lineal op a = a() -> value
#pragma lineal op b = b() -> value

static atomic_int *q, *z, f;

void start(void)
{
    q = malloc(2 * sizeof *q);
    z = q + 1;
    atomic_init(&q[0], 0);
    atomic_init(&q[1], 0);
}

int a(void)
{
    atomic_store_explicit(&q[1], 1, memory_order_relaxed);
    atomic_store_explicit(&f, 1, memory_order_relaxed);
    return 0;
}

int b(void)
{
    while (!atomic_load_explicit(&f, memory_order_relaxed))
        ;
    return atomic_load_explicit(z, memory_order_relaxed);
}
