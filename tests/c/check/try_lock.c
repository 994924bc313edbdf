//@ run: check --calls 5
//@ expect: holds
//@ run: check --calls 3 -DRELEASE=memory_order_relaxed
//@ expect: violated  witness.kind=sync  witness.calls=3
//@ run: check --calls 2 -DTORN
//@ expect: violated  witness.kind=result  witness.calls=2
// A lock that may be refused; who got it gives it back.
#include <stdatomic.h>
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#pragma lineal object try-lock
#pragma lineal op acquire = try_lock()
#pragma lineal op release = unlock()
static atomic_int held;
int try_lock(void) {
#ifdef TORN
    if (atomic_load_explicit(&held, memory_order_acquire)) return 0;
    atomic_store_explicit(&held, 1, memory_order_relaxed);
    return 1;
#else
    return !atomic_exchange_explicit(&held, 1, memory_order_acquire);
#endif
}
void unlock(void) { atomic_store_explicit(&held, 0, RELEASE); }
