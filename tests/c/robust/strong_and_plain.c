//@ run: robust --prove
//@ expect: holds scope.calls=unbounded remarks[1]="for the proof, seq_cst accesses are acquire and release ones"
//@ run: robust --prove -D LOOK=memory_order_relaxed
//@ expect: unknown
// A node that is filled by plain stores and published by a seq_cst one: for the proof that is a release.
#include <stdatomic.h>
#include <stdlib.h>

#ifndef LOOK
#define LOOK memory_order_seq_cst
#endif

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

struct cell {
    int value;
};
static struct cell *_Atomic current;

void put(int value)
{
    struct cell *mine = malloc(sizeof *mine);
    mine->value = value;
    atomic_store(&current, mine);
}

int get(void)
{
    struct cell *found = atomic_load_explicit(&current, LOOK);
    return found ? found->value : 0;
}
