// Writes read nothing of each other, so none happens before another; but where memory has one
// order, whatever was written before the first of two is there after the second.
//@ run: check --memory rc11 --calls 3
//@ expect: violated  witness.kind=sync
//@ run: check --memory sc --calls 3
//@ expect: holds
//@ run: check --memory tso --calls 3
//@ expect: holds
//@ run: check --memory tso --calls 3 -DBUFFERED
//@ expect: violated
#include <stdatomic.h>

#pragma lineal object register level=RI args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static atomic_int cell;

#ifdef BUFFERED
#define PUT memory_order_release
#else
#define PUT memory_order_seq_cst
#endif

void put(int value) { atomic_store_explicit(&cell, value, PUT); }
int get(void) { return atomic_load(&cell); }
