//@ run: check --calls 2 -DALIKE
//@ expect: holds
//@ run: check --calls 2
//@ expect: violated
//@ from: which thread had number 0 depended on the order of declarations
#include <stdatomic.h>
#pragma lineal object bag args=independent
#ifdef ALIKE /* it is not so, and the verdict says that it was declared */
#pragma lineal threads alike
#endif
#pragma lineal op add = add(thread, value)
#pragma lineal op remove = take(thread) -> value, empty if result == 0
static atomic_int slot[8], used[8];
void add(int thread, int value) {
    atomic_store(&used[thread], 1);
    for (int i = 0; i < 8; i++) { int z = 0; if (atomic_compare_exchange_strong(&slot[i], &z, value)) return; }
}
int take(int thread) {
    if (thread == 0 && !atomic_load(&used[0])) return 0;  /* wrong */
    for (int i = 0; i < 8; i++) { int v = atomic_exchange(&slot[i], 0); if (v) return v; }
    return 0;
}
