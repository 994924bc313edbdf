//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The client of lazy_list.c without 2 in between: both inserts change the same link, so one of
// them sees the other.
#include "../../../examples/set/lazy-list.c"
#define WITHOUT_2
#include "both_removes.h"
