//@ run: check --calls 2
//@ expect: error code=L0127 message="cannot be called with -1"
#include <stdatomic.h>
#pragma lineal object register
#pragma lineal values -1..1
#pragma lineal op write = wr(value)
#pragma lineal op read = rd() -> value
static atomic_uint r;
void wr(unsigned v) { r = v; }
unsigned rd(void) { return r; }
