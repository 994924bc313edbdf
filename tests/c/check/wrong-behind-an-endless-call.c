//@ run: check --calls 2
//@ expect: violated witness.kind=unsafe witness.calls=1
//@ run: check --calls 2 --unroll 1
//@ expect: violated witness.kind=unsafe
//@ run: check --calls 2 --unroll 2 -D RIGHT
//@ expect: unknown
// A call that never returns, whatever is done, in the first client; what is wrong shows in another one.
#include <assert.h>
#include <stdatomic.h>

#pragma lineal object counter level=none
#pragma lineal op read = draw()
#pragma lineal op inc = add()

static atomic_int drawn, count;

int draw(void)
{
    while (atomic_fetch_add(&drawn, 1) != -1)
        ;
    return atomic_load(&count);
}

void add(void)
{
    int before = atomic_fetch_add(&count, 1);
#ifndef RIGHT
    assert(before == 1);
#endif
    (void)before;
}
