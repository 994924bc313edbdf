// No specification: it races.
//@ run: check --against against-flag-weak.c --calls 2
//@ expect: violated witness.kind=unsafe
#include <stdatomic.h>

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static int cell;

void put(int value)
{
    cell = value;
}

int get(void)
{
    return cell;
}
