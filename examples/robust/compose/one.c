//@ run: robust --calls 5
//@ expect: holds
// A register in one atomic variable: robust, whatever its clients do.
#include "registers.h"

#pragma lineal object register name=one level=none args=independent
#pragma lineal op write = set_one(value)
#pragma lineal op read = get_one() -> value

static atomic_int cell;

void set_one(int value) { STORE(cell, value, release); }
int get_one(void) { return LOAD(cell, acquire); }
