//@ run: check --calls 2
//@ expect: error code=L0129 line=5 message="do not keep to args=independent"
// Which slot an element goes to depends on its value.
#include <stdatomic.h>
#pragma lineal object bag args=independent
#pragma lineal op add = add(value)
#pragma lineal op remove = take() -> value, empty if result == 0
static atomic_int slot[4];
void add(int value) { atomic_store_explicit(&slot[value > 500 ? 0 : value % 4], value, memory_order_release); }
int take(void) {
    for (int i = 0; i < 4; i++) {
        int v = atomic_exchange_explicit(&slot[i], 0, memory_order_acquire);
        if (v) return v;
    }
    return 0;
}
