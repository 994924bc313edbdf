//@ run: check --calls 2
//@ expect: error code=L0127
#include <stdatomic.h>
#pragma lineal object cas-register args=independent
#pragma lineal op write = wr(value)
#pragma lineal op read = rd() -> value
#pragma lineal op cas = cas(key, value)
static atomic_int r;
void wr(int v){ atomic_store(&r, v); }
int rd(void){ return atomic_load(&r); }
int cas(int o, int n){ (void)o; (void)n; return 0; }
