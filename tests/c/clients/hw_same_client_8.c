//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The client of hw_acquire_exchange_8.c on the queue whose exchange also releases: nothing to find.
#include "../../../examples/queue/herlihy-wing.c"
#include "eight_calls.h"
