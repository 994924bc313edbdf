//@ run: check --calls 6
//@ expect: holds
//@ run: check --calls 4 -DRELEASE=memory_order_relaxed
//@ expect: violated  witness.kind=sync  witness.calls=3
//@ run: check --calls 4 -DTORN
//@ expect: violated  witness.kind=result  witness.calls=2
//@ run: check --calls 4 -DFICKLE
//@ expect: violated  witness.kind=result  witness.calls=1
//@ run: check --calls 4 -DFICKLE -DMAY_FAIL
//@ expect: holds
// A lock that is waited for, or tried; whoever got it gives it back.
#include <stdatomic.h>
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#pragma lineal object lock
#pragma lineal op lock = lock()
#ifdef MAY_FAIL
#pragma lineal op try_lock = try_lock(), may fail
#else
#pragma lineal op try_lock = try_lock()
#endif
#pragma lineal op unlock = unlock()
static atomic_int held;

int try_lock(void)
{
#ifdef TORN
    if (atomic_load_explicit(&held, memory_order_acquire)) return 0;
    atomic_store_explicit(&held, 1, memory_order_relaxed);
    return 1;
#else
    int no = 0;
#ifdef FICKLE
    return atomic_compare_exchange_weak_explicit(&held, &no, 1, memory_order_acquire, memory_order_relaxed);
#else
    return atomic_compare_exchange_strong_explicit(&held, &no, 1, memory_order_acquire, memory_order_relaxed);
#endif
#endif
}

void lock(void) { while (!try_lock()) { } }
void unlock(void) { atomic_store_explicit(&held, 0, RELEASE); }
