//@ run: check --calls 5
//@ expect: holds
//@ run: check --calls 2 --level RI
//@ expect: violated  witness.kind=sync  witness.calls=2
//@ from: Golovin, Kokologiannakis and Vafeiadis, POPL 2025, example 2.2
// Front and back in one word; only the slots synchronise.
#include <stdatomic.h>
#pragma lineal object queue level=R args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0
static atomic_ulong fb;
static atomic_int slot[8];
void enqueue(int value) {
    unsigned long k = atomic_fetch_add_explicit(&fb, 1, memory_order_relaxed);
    atomic_store_explicit(&slot[k & 0xffffffff], value, memory_order_release);
}
int dequeue(void) {
    unsigned long k = atomic_load_explicit(&fb, memory_order_relaxed);
    do {
        if ((k >> 32) >= (k & 0xffffffff)) return 0;
    } while (!atomic_compare_exchange_strong_explicit(&fb, &k, k + (1UL << 32), memory_order_relaxed,
                                                      memory_order_relaxed));
    int v;
    while (!(v = atomic_load_explicit(&slot[k >> 32], memory_order_acquire))) {
    }
    return v;
}
