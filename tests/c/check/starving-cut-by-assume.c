//@ run: check --calls insert=2,remove=2
//@ expect: violated witness.kind=unsafe witness.calls=4
//@ run: check --calls insert=2,remove=2 --no-reduction starving
//@ expect: violated witness.kind=unsafe witness.calls=4
//@ run: check --calls insert=2,remove=2 --memory sc
//@ expect: violated witness.kind=unsafe witness.calls=4
// With one insert, the second remove finds that the execution is of no interest: that it does not
// spin for ever does not mean that it returns, so nothing follows for two inserts.
#include <stdatomic.h>

void __VERIFIER_assume(int);

#pragma lineal object bag level=none args=independent
#pragma lineal op insert = insert(value)
#pragma lineal op remove = take() -> value

static atomic_int slots[2], taken;
static int last;

void insert(int value) {
    int empty = 0;
    if (!atomic_compare_exchange_strong(&slots[0], &empty, value))
        atomic_store(&slots[1], value);
}

int take(void) {
    int value;
    do {
        __VERIFIER_assume(atomic_load(&taken) != 1);
        value = atomic_exchange(&slots[0], 0);
        if (!value)
            value = atomic_exchange(&slots[1], 0);
    } while (!value);
    last = value; // two of them race
    atomic_fetch_add(&taken, 1);
    return value;
}
