//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// FIFO-CLIENT (POPL 2025, section 2.2) does not find what is wrong in this queue.
#include "../../../examples/queue/herlihy-wing-acquire-exchange.c"
#include "fifo.h"
