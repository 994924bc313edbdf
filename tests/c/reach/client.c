//@ run: check --calls 2
//@ expect: unknown limit.kind=method limit.at.line=15
// One operation of an object cannot be modelled, and some client calls it.
#include <stdatomic.h>

#pragma lineal object register args=independent
#pragma lineal op write = set(value)
#pragma lineal op read = get() -> value

static _Atomic int r;
void set(int v) { atomic_store(&r, v); }
int get(void)
{
    int v = atomic_load(&r);
    __asm__ volatile("bswap %0" : "+r"(v));
    return v;
}
