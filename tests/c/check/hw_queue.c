//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 2 --level RI
//@ expect: violated  witness.kind=sync  witness.calls=2
//@ run: check -DEXCHANGE=memory_order_acquire --client "enqueue(1); enqueue(2) || dequeue()"
//@ expect: holds
//@ run: check -DEXCHANGE=memory_order_acquire --client "enqueue(1); enqueue(2) || dequeue(); enqueue(3) || dequeue(); dequeue() || enqueue(4); dequeue()"
//@ expect: violated  witness.kind=client  witness.calls=8
//@ run: check -DEXCHANGE=memory_order_acquire --calls enqueue=4,dequeue=3
//@ expect: violated  witness.kind=client  witness.calls=7
//@ from: Golovin, Kokologiannakis and Vafeiadis, POPL 2025, examples 2.4 and 6.1
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
