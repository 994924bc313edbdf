//@ run: robust --calls 5
//@ expect: holds
// A register in one atomic variable: robust, whatever its clients do.
#include "registers.h"

#pragma lineal object register name=two level=none args=independent
#pragma lineal op write = set_two(value)
#pragma lineal op read = get_two() -> value

static atomic_int cell;

void set_two(int value) { STORE(cell, value, release); }
int get_two(void) { return LOAD(cell, acquire); }
