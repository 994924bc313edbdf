//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc
//@ expect: holds
// Example 6.2 of Golovin, Kokologiannakis and Vafeiadis (POPL 2025) on lazy-list.c: both removes fail,
// though one of them comes after both inserts.
#include "../../../examples/set/lazy-list.c"
#include "both_removes.h"
