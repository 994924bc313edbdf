//@ run: check --calls 2
//@ expect: error code=L0121 message="declared twice"
#include <stdatomic.h>
#pragma lineal object register args=independent
#pragma lineal op write = wr(value)
#pragma lineal op read = rd() -> value
#pragma lineal values 0..1
#pragma lineal values 5..6
static atomic_int r;
void wr(int v) { r = v; }
int rd(void) { return r; }
void ti(int t) { (void)t; }
