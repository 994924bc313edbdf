//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory sc
//@ expect: holds
// The client of front_back_split.c on the queue with one word: nothing to find.
#include "../../../examples/queue/front-back.c"
#include "last_one_overlooked.h"
