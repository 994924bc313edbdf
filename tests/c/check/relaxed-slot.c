//@ run: check --calls 2
//@ expect: violated  witness.kind=sync  witness.calls=2
//@ run: check --calls 2 -DORDER=memory_order_release
//@ expect: holds
// Elements pass through the bag, but what was written before does not; and a file that has a main.
#pragma lineal object bag level=R args=independent
#pragma lineal op add = put(value)
#pragma lineal op remove = take() -> value, empty if result == 0
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
static atomic_int slot[4];
void put(int value) {
    for (int i = 0; i < 4; i++) {
        int none = 0;
        if (atomic_compare_exchange_strong_explicit(&slot[i], &none, value, ORDER, memory_order_relaxed)) return;
    }
}
int take(void) {
    for (int i = 0; i < 4; i++) {
        int value = atomic_exchange_explicit(&slot[i], 0, memory_order_acquire);
        if (value) return value;
    }
    return 0;
}
int main(void) {
    put(1);
    return take() == 1 ? 0 : 1;
}
