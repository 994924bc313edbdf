//@ run: check --calls 4 --memory tso
//@ expect: violated  witness.kind=client  witness.calls=4
//@ run: check --calls 4
//@ expect: violated  witness.kind=client  witness.calls=4
//@ run: check --calls 4 --memory sc
//@ expect: holds
//@ run: check --calls 3 -DORDER=memory_order_seq_cst --memory tso
//@ expect: holds
// Stores may wait in a buffer: what a thread puts may be seen by others after what it gets next.
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_release
#define LOAD memory_order_acquire
#else
#define LOAD ORDER
#endif
#pragma lineal object map
#pragma lineal values 1..2
#pragma lineal op put = put(key, value)
#pragma lineal op get = get(key) -> value, empty if result == 0
static atomic_int cell[3];
void put(int key, int value) { atomic_store_explicit(&cell[key], value, ORDER); }
int get(int key) { return atomic_load_explicit(&cell[key], LOAD); }
