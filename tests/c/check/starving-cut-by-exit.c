//@ run: check --calls insert=2,remove=3
//@ expect: violated witness.kind=unsafe witness.calls=5
//@ run: check --calls insert=2,remove=3 --no-reduction starving
//@ expect: violated witness.kind=unsafe witness.calls=5
//@ run: check --calls insert=2,remove=3 --memory ra
//@ expect: violated witness.kind=unsafe witness.calls=5
// Some executions of two inserts and two removes end with the process. A third remove that begins
// before that fails, though it would find nothing to do after any execution that is complete.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#pragma lineal object bag level=none args=independent
#pragma lineal op insert = insert(value)
#pragma lineal op remove = take() -> value

static atomic_int slots[2], takers, first_is_done, gone;

void insert(int value) {
    int empty = 0;
    if (!atomic_compare_exchange_strong(&slots[0], &empty, value))
        atomic_store(&slots[1], value);
}

int take(void) {
    int value;
    assert(!gone);
    while (!(value = atomic_exchange(&slots[0], 0)) && !(value = atomic_exchange(&slots[1], 0)))
        ;
    if (atomic_fetch_add(&takers, 1) == 0) {
        first_is_done = 1;
    } else if (!first_is_done) {
        gone = 1;
        exit(0);
    }
    return value;
}
