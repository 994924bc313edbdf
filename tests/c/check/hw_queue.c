//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 2 --level RI
//@ expect: violated  witness.kind=sync  witness.calls=2
// The queue of Herlihy and Wing; a dequeue waits for an element.
#include <stdatomic.h>

#pragma lineal object queue level=R args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value

#ifndef EXCHANGE
#define EXCHANGE memory_order_acq_rel
#endif

static atomic_int back;
static atomic_int slot[8];

void enqueue(int value) {
    int i = atomic_fetch_add_explicit(&back, 1, memory_order_release);
    atomic_store_explicit(&slot[i], value, memory_order_release);
}

int dequeue(void) {
    for (;;) {
        int b = atomic_load_explicit(&back, memory_order_acquire);
        for (int i = 0; i < b; i++) {
            if (atomic_load_explicit(&slot[i], memory_order_acquire) != 0) {
                int v = atomic_exchange_explicit(&slot[i], 0, EXCHANGE);
                if (v != 0)
                    return v;
            }
        }
    }
}
