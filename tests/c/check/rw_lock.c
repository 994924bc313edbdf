//@ run: check --calls 5
//@ expect: holds
//@ run: check --calls 4 -DREAD_RELEASE=memory_order_relaxed
//@ expect: violated  witness.kind=sync  witness.calls=3
//@ run: check --calls 4 -DWRITE_RELEASE=memory_order_relaxed
//@ expect: violated  witness.kind=sync  witness.calls=3
//@ run: check --calls 4 -DTORN
//@ expect: violated  witness.kind=result  witness.calls=2
// A counter of readers, or -1 for a writer. Readers that leave must be seen by the next writer, and
// writers by everybody.
#include <stdatomic.h>
#ifndef READ_RELEASE
#define READ_RELEASE memory_order_release
#endif
#ifndef WRITE_RELEASE
#define WRITE_RELEASE memory_order_release
#endif
#pragma lineal object rw-lock
#pragma lineal op read_lock = read_lock()
#pragma lineal op read_unlock = read_unlock()
#pragma lineal op write_lock = write_lock()
#pragma lineal op try_write_lock = try_write_lock() -> result
#pragma lineal op write_unlock = write_unlock()
static atomic_int readers;

void read_lock(void)
{
    for (;;) {
        int n = atomic_load_explicit(&readers, memory_order_relaxed);
        if (n >= 0
            && atomic_compare_exchange_strong_explicit(
                &readers, &n, n + 1, memory_order_acquire, memory_order_relaxed))
            return;
    }
}

void read_unlock(void) { atomic_fetch_sub_explicit(&readers, 1, READ_RELEASE); }

int try_write_lock(void)
{
#ifdef TORN
    if (atomic_load_explicit(&readers, memory_order_acquire)) return 0;
    atomic_store_explicit(&readers, -1, memory_order_relaxed);
    return 1;
#else
    int none = 0;
    return atomic_compare_exchange_strong_explicit(
        &readers, &none, -1, memory_order_acquire, memory_order_relaxed);
#endif
}

void write_lock(void) { while (!try_write_lock()) { } }
void write_unlock(void) { atomic_store_explicit(&readers, 0, WRITE_RELEASE); }
