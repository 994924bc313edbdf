//@ run: robust --calls 4
//@ expect: holds
//@ run: robust --prove
//@ expect: holds scope.calls=unbounded
//@ run: robust --prove -D LOOK=relaxed
//@ expect: unknown
//@ run: robust -D PUBLISH=relaxed
//@ expect: violated witness.kind=unsafe
//@ run: robust -D LOOK=relaxed
//@ expect: violated witness.kind=unsafe
//@ run: robust -D PUBLISH=relaxed -D LOOK=relaxed --memory tso
//@ expect: holds
// A register that holds a pointer to its value: robust iff the pointer is published with release and
// taken with acquire. On x86 (tso) any modes will do.
// From: Nagar et al., OOPSLA 2024, Figure 2.
#include "modes.h"
#include <stdlib.h>

#ifndef PUBLISH
#define PUBLISH release
#endif
#ifndef LOOK
#define LOOK acquire
#endif

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

struct cell {
    atomic_int value;
};
static struct cell *_Atomic current;

void put(int value)
{
    struct cell *mine = malloc(sizeof *mine);
    STORE(mine->value, value, relaxed);
    STORE(current, mine, PUBLISH);
}

int get(void)
{
    struct cell *found = LOAD(current, LOOK);
    return found ? LOAD(found->value, relaxed) : 0;
}
