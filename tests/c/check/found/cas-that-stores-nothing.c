//@ run: check --calls 3
//@ expect: holds
//@ run: check --calls write=1,cas=1,read=1 -DBAD
//@ expect: violated
//@ from: the new value of a compare-and-swap was always the expected one
#include <stdatomic.h>
#pragma lineal object cas-register args=equality
#pragma lineal op write = wr(value)
#pragma lineal op read = rd() -> value
#pragma lineal op cas = cas(key, value)
static atomic_int r;
void wr(int v){ atomic_store(&r, v); }
int rd(void){ return atomic_load(&r); }
int cas(int o, int n){
#ifdef BAD
  /* wrong: does not store */
  return atomic_load(&r) == o;
#else
  return atomic_compare_exchange_strong(&r,&o,n);
#endif
}
