//@ run: check --calls 3
//@ expect: holds
//@ run: check --calls 3 -DCHOICE
//@ expect: holds
//@ run: check --calls 2 --level none
//@ expect: error code=L0017 message="own accesses say what synchronises"
//@ run: check --calls 2 -DLEVEL=level=none
//@ expect: error code=L0121 message="takes a partial lock, and a level is declared too"
//@ run: check --calls 2 -DOUTSIDE
//@ expect: error code=L0126 message="uses `s_last` without holding its partial lock"
//@ run: check --calls 2 -DTWICE
//@ expect: error code=L0126 message="takes a partial lock for the second time"
//@ run: check --calls 2 -DKEEP
//@ expect: error code=L0126 message="returns without giving its partial lock back"
//@ run: check --calls 2 -DUNHELD
//@ expect: error code=L0126 message="gives back a partial lock that it does not hold"
//@ run: check --calls 2 -DOTHER_LOCK
//@ expect: error code=L0126 message="two partial locks"
//@ run: check --calls 2 -DNOT_INT
//@ expect: error code=L0103 message="takes the address of an `int`"
//@ run: check --calls 2 -DFAILS
//@ expect: error code=L0126 message="does not hold"
//@ run: check --calls 2 -DENDLESS
//@ expect: unknown limit.kind=method limit.message="the specification of `read` did not return within 1000000 steps."
//@ run: check --calls 2 -DIN_OBJECT
//@ expect: unknown
// A register whose specification is under a partial lock: writes are seen by who reads them.
#include <assert.h>
#include <stdatomic.h>
void lineal_plock(int *lock);
void lineal_punlock(int *lock);
int __VERIFIER_nondet_range(int low, int high);
#ifndef LEVEL
#define LEVEL
#endif
#define SAY(text) _Pragma(#text)
#define DECLARE(level) SAY(lineal object spec args=independent level)
DECLARE(LEVEL)
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value
#pragma lineal spec write = s_put(value)
#pragma lineal spec read = s_get()
static int lock;
static int other;
static atomic_int last;
void put(int value)
{
#ifdef IN_OBJECT
    lineal_plock(&lock);
    lineal_punlock(&lock);
#endif
    atomic_store_explicit(&last, value, memory_order_release);
}
int get(void) { return atomic_load_explicit(&last, memory_order_acquire); }

static atomic_int s_last;
void s_put(int value)
{
#ifdef OUTSIDE
    atomic_store(&s_last, value);
#endif
#ifdef UNHELD
    lineal_punlock(&lock);
#endif
#ifdef NOT_INT
    char small;
    lineal_plock(&small);
#endif
    lineal_plock(&lock);
    atomic_store_explicit(&s_last, value, memory_order_release);
#ifdef FAILS
    assert(value == 0);
#endif
#ifndef KEEP
    lineal_punlock(&lock);
#endif
#ifdef TWICE
    lineal_plock(&lock);
    lineal_punlock(&lock);
#endif
}
int s_get(void)
{
#ifdef OTHER_LOCK
    lineal_plock(&other);
#else
    lineal_plock(&lock);
#endif
#ifdef ENDLESS
    for (;;) atomic_load(&s_last);
#endif
    int value = atomic_load_explicit(&s_last, memory_order_acquire);
#ifdef CHOICE
    value = __VERIFIER_nondet_range(value, value + 1);
#endif
#ifdef OTHER_LOCK
    lineal_punlock(&other);
#else
    lineal_punlock(&lock);
#endif
    return value;
}
