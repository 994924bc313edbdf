//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The client of lazy_list.c when inserts lock both neighbours: 2 is locked by both.
#include "../../../examples/set/lazy-list-lock-both.c"
#include "both_removes.h"
