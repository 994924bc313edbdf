//@ run: verify --memory sc
//@ expect: violated witness.kind=uninitialised
//@ run: verify --memory sc -DFROM_BEHIND
//@ expect: violated witness.kind=uninitialised
//@ run: verify --memory sc -DSHARED
//@ expect: violated witness.kind=uninitialised
//@ run: verify --memory sc -DASSIGNED
//@ expect: holds
//@ run: verify --memory sc -DASSIGNED -DSHARED
//@ expect: holds
// A jump into the scope of a local, past its declaration: it exists there, without a value, even
// if it had one when its scope was left.
#include <assert.h>
#include <stdatomic.h>

static _Atomic(int *) p;

int main(void)
{
    int rounds = 0;
#ifndef FROM_BEHIND
    goto inside;
#endif
again: {
    int x = 5;
    if (rounds)
        assert(x == 5);
inside:
#ifdef ASSIGNED
    x = 6;
#endif
    assert(x == 5 || x == 6);
#ifdef SHARED
    p = &x;
#endif
}
    if (rounds++ == 0) {
#ifdef FROM_BEHIND
        goto inside;
#endif
        goto again;
    }
    return 0;
}
