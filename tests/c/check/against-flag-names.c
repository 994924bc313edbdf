// A register that cannot be read.
//@ run: check --against against-flag-weak.c
//@ expect: error code=L0130 message="the object has no operation `read`, as against-flag-weak.c has"
#include <stdatomic.h>

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)

static _Atomic int cell;

void put(int value)
{
    atomic_store(&cell, value);
}
