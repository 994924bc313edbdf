//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc
//@ expect: holds
// Example 2.4 of Golovin, Kokologiannakis and Vafeiadis (POPL 2025), after Raad et al. (POPL 2019): the
// client with 8 calls.
#include "../../../examples/queue/herlihy-wing-acquire-exchange.c"
#include "eight_calls.h"
