//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// FIFO-CLIENT of Golovin, Kokologiannakis and Vafeiadis (POPL 2025, section 2.2): the first element
// leaves first.
#include "../../../examples/queue/herlihy-wing.c"
#include "fifo.h"
