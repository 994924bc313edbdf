//@ run: check --calls 4
//@ expect: violated  witness.kind=client  witness.calls=4
//@ run: check --calls 4 -DORDER=memory_order_seq_cst
//@ expect: holds
//@ run: check --calls 4 --memory sc
//@ expect: holds
// A set of two elements: without seq_cst, two threads that add and then look miss each other.
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_acq_rel
#define LOAD memory_order_acquire
#else
#define LOAD ORDER
#endif
#pragma lineal object set args=equality
#pragma lineal values 0..1
#pragma lineal op add = add(key)
#pragma lineal op contains = has(key)
static atomic_int flag[2];
int add(int key) { return !atomic_exchange_explicit(&flag[key], 1, ORDER); }
int has(int key) { return atomic_load_explicit(&flag[key], LOAD); }
