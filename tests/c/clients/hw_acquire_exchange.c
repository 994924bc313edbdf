//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc
//@ expect: holds
// Example 6.1 of Golovin, Kokologiannakis and Vafeiadis (POPL 2025): why herlihy-wing-acquire-exchange.c
// is no queue. No order of the calls explains these results; see there.
#include "../../../examples/queue/herlihy-wing-acquire-exchange.c"
#include "seven_calls.h"
