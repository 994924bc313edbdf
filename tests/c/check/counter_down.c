//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 2 -DTORN
//@ expect: violated  witness.kind=result  witness.calls=2
//@ run: check --calls 2 -DAFTER
//@ expect: violated  witness.kind=result  witness.calls=1
// A count of references: it goes up and down, and each step tells what was there before.
#include <stdatomic.h>
#pragma lineal object counter
#ifdef AFTER
#pragma lineal op inc = up() -> result + 1
#else
#pragma lineal op inc = up() -> result
#endif
#pragma lineal op dec = down() -> result
#pragma lineal op read = look()
static atomic_int count;
int up(void) { return atomic_fetch_add(&count, 1); }
int down(void)
{
#ifdef TORN
    int n = atomic_load(&count);
    atomic_store(&count, n - 1);
    return n;
#else
    return atomic_fetch_sub(&count, 1);
#endif
}
int look(void) { return atomic_load(&count); }
