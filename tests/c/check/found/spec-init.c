//@ run: check --calls 2
//@ expect: error code=L0126
#include <stdatomic.h>
#pragma lineal object register args=independent
#pragma lineal op write = wr(value)
#pragma lineal op read = rd() -> value
#pragma lineal spec_init ti(0)
static atomic_int r;
void wr(int v) { r = v; }
int rd(void) { return r; }
void ti(int t) { (void)t; }
