//@ run: check --calls 1
//@ expect: error code=L0126 line=12 message="it has 2 outcomes; an object starts in one state"
// Whatever sets a specification up ends in one way: to take one of several would check half of it.
#include <stdatomic.h>
int __VERIFIER_nondet_range(int low, int high);
atomic_int shared;
int model;
int get(void) { return atomic_load(&shared); }
int s_get(void) { return model; }
void choose(void) { model = __VERIFIER_nondet_range(0, 1); }
#pragma lineal object spec level=none
#pragma lineal spec_init choose()
#pragma lineal op get = get() -> value
#pragma lineal spec get = s_get()
