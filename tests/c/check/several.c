//@ run: check --calls 3
//@ expect: holds violated  results[0].object=numbers  results[1].object=flags  results[1].witness.kind=result
//@ run: check --calls 3 --object numbers
//@ expect: holds
//@ run: check --calls 3 --object flags
//@ expect: violated  witness.kind=result
//@ run: check --calls 3 --object queue
//@ expect: error code=L0121 message="no object is called `queue`"
//@ run: check --client "inc()"
//@ expect: error code=L0017 message="--client is about one object"
//@ run: check --calls 3 -DABOVE
//@ expect: error code=L0121 message="above all objects"
//@ run: check --calls 3 -DSAME
//@ expect: error code=L0121 message="two objects are called `flags`"
// Two objects in one file; each line belongs to the object above it.
#include <stdatomic.h>
#ifdef ABOVE
#pragma lineal values 0..1
#endif
static atomic_int number;
#ifdef SAME
#pragma lineal object counter name=flags
#else
#pragma lineal object counter name=numbers
#endif
#pragma lineal op inc = inc()
#pragma lineal op read = get()
void inc(void) { atomic_fetch_add(&number, 1); }
int get(void) { return atomic_load(&number); }

static atomic_int flag;
#pragma lineal object try-lock name=flags
#pragma lineal op acquire = take()
#pragma lineal op release = give()
int take(void)
{
    if (atomic_load(&flag)) return 0;
    atomic_store(&flag, 1);
    return 1;
}
void give(void) { atomic_store(&flag, 0); }
