//@ run: check --calls 1
//@ expect: violated witness.kind=result
//@ from: what a register holds at first may equal what is expected
#include <stdatomic.h>
#pragma lineal object cas-register args=equality
#pragma lineal op read = rd() -> value
#pragma lineal op cas = cas(key, value)
static atomic_int r;
int rd(void){ return atomic_load(&r); }
int cas(int o, int n){ (void)o; (void)n; return 0; }
