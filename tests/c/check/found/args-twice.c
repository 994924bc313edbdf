//@ run: check --calls 2
//@ expect: error code=L0121 message="said twice"
#include <stdatomic.h>
#pragma lineal object register args=independent args=order level=R level=none
#pragma lineal op write = wr(value)
#pragma lineal op read = rd() -> value
static atomic_int r;
void wr(int v) { r = v; }
int rd(void) { return r; }
void ti(int t) { (void)t; }
