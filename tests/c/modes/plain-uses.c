// Atomic variables used by name: each use becomes a call with its order.
//@ run: check --weaken --calls 3 --level R
//@ expect: holds  rewrite.verified=true  rewrite.minimal=true
#include <stdatomic.h>

#pragma lineal object counter level=R args=independent
#pragma lineal op inc = inc()
#pragma lineal op read = get() -> value

static _Atomic int count, calls;

void inc(void)
{
    calls = 1;
    count++;
}

int get(void)
{
    return count;
}
