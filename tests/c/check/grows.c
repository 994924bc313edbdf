//@ run: check --calls 2 --time-limit 3s
//@ expect: unknown  limit.kind=time
//@ run: check --calls 2 -DWRONG
//@ expect: violated  witness.kind=result  witness.calls=2
//@ run: check --calls 2 --unroll 3
//@ expect: holds  scope.bounds[0].value=3
//@ run: check --calls 2 --unroll grows.c:33=2
//@ expect: holds  scope.bounds[0].value=2
//@ run: check --calls 2 --unroll grows.c:30=2
//@ expect: error code=L0015
//@ run: check --calls 2 --unroll grows.c:33=2 --weaken
//@ expect: error code=L0017
// A reader counts its looks while a writer is under way: a loop that changes something each time it comes
// to nothing is followed with growing bounds. A mistake is found, and without one it is said how
// far the search came.
#include <stdatomic.h>
#pragma lineal object register args=equality
#pragma lineal op write = set(value)
#pragma lineal op read = get()
#pragma lineal role writer: write max=1
static atomic_int word, version, looks;

void set(int value)
{
    atomic_fetch_add(&version, 1);
    atomic_store(&word, value);
    atomic_fetch_add(&version, 1);
}

int get(void)
{
    int value, seen;
    do {
        atomic_fetch_add(&looks, 1);
        seen = atomic_load(&version);
        value = atomic_load(&word);
    } while (seen % 2 == 1 || seen != atomic_load(&version));
#ifdef WRONG
    return atomic_load(&looks) > 2 ? -1 : value;
#else
    return value;
#endif
}
