//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc
//@ expect: holds
// Why front-back-split.c is no queue: 2 was in it before 1 left, yet it looks empty; see there.
#include "../../../examples/queue/front-back-split.c"
#include "last_one_overlooked.h"
