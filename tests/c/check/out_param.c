//@ run: check --calls 3
//@ expect: holds
// Results through a pointer, a function that asks which thread calls it, and a clean end.
#include <stdatomic.h>
#include <stdlib.h>
#pragma lineal object bag args=independent
#pragma lineal init setup(2)
#pragma lineal op add = add(pool, thread, value)
#pragma lineal op remove = try_take(pool, out) -> out, empty if result == 0
#pragma lineal fini free(pool)
struct pool { atomic_int slot[3]; };
static struct pool *pool;
void setup(int n) { (void)n; pool = calloc(1, sizeof *pool); }
void add(struct pool *p, int thread, int value) {
    for (int i = 0; i < 3; i++) {
        int free = 0;
        atomic_int *own = &p->slot[(thread + i) % 3];
        if (atomic_compare_exchange_strong_explicit(own, &free, value, memory_order_release, memory_order_relaxed)) return;
    }
}
int try_take(struct pool *p, int *out) {
    for (int i = 0; i < 3; i++) {
        int v = atomic_load_explicit(&p->slot[i], memory_order_acquire);
        if (v && (v = atomic_exchange_explicit(&p->slot[i], 0, memory_order_acquire))) {
            *out = v;
            return 1;
        }
    }
    return 0;
}
