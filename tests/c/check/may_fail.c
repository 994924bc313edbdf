//@ run: check --calls 4
//@ expect: violated  witness.kind=client  witness.calls=4
//@ run: check --calls 4 -DMAY_FAIL
//@ expect: holds
//@ run: check --calls 4 -DMAY_FAIL -DTWICE
//@ expect: violated  witness.kind=result
// A stack whose pop gives up when somebody else is faster: that is no empty stack, but it may say so
// if it is declared to fail. What it takes it still takes once.
#include <stdatomic.h>
#pragma lineal object stack args=independent
#pragma lineal op push = push(value)
#ifdef MAY_FAIL
#pragma lineal op pop = pop() -> value, empty if result == 0, may fail
#else
#pragma lineal op pop = pop() -> value, empty if result == 0
#endif
static _Atomic int slots[4];
static atomic_int used;

void push(int value)
{
    int i = atomic_fetch_add(&used, 1);
    atomic_store(&slots[i], value);
}

int pop(void)
{
    for (int i = 3; i >= 0; i--) {
        int value = atomic_load(&slots[i]);
        if (value == 0) continue;
#ifdef TWICE
        atomic_store(&slots[i], 0);
        return value;
#else
        return atomic_compare_exchange_strong(&slots[i], &value, 0) ? value : 0;
#endif
    }
    return 0;
}
