//@ run: check --calls 3
//@ expect: violated  witness.kind=result  witness.calls=3
// A load and a store where an exchange is needed: an element can be taken twice.
#include <stdatomic.h>
#pragma lineal object bag args=independent
#pragma lineal op add = add(value)
#pragma lineal op remove = take() -> value, empty if result == 0
static atomic_int slot[4];
void add(int value) {
    for (int i = 0; i < 4; i++) {
        int free = 0;
        if (atomic_compare_exchange_strong(&slot[i], &free, value)) return;
    }
}
int take(void) {
    for (int i = 0; i < 4; i++) {
        int v = slot[i];
        if (v) {
            slot[i] = 0;
            return v;
        }
    }
    return 0;
}
