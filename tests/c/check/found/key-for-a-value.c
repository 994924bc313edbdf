//@ run: check --calls 2
//@ expect: error code=L0124
#include <stdatomic.h>
#pragma lineal object register args=independent
#pragma lineal op write = wr(key)
#pragma lineal op read = rd()
static atomic_int r;
void wr(int v) { r = v; }
int rd(void) { return r; }
void ti(int t) { (void)t; }
