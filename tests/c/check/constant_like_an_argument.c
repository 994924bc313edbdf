//@ run: check --calls 3
//@ expect: error code=L0129
//@ run: check --client "enqueue(5); enqueue(6); dequeue()"
//@ expect: violated
// An enqueue that finds the cell full stores a number of its own, which looks like an argument: the
// arguments of this code are not independent.
#include <stdatomic.h>

#pragma lineal object queue level=none args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

static atomic_int cell;

void enqueue(int value)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(&cell, &none, value))
        atomic_store(&cell, 1);
}

int dequeue(void)
{
    return atomic_exchange(&cell, 0);
}
