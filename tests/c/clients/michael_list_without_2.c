//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The client of michael_list.c without 2 in between: both inserts change the same link, so one of
// them sees the other.
#include "../../../examples/set/michael-list.c"
#define WITHOUT_2
#include "both_removes.h"
