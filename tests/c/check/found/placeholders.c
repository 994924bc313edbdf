//@ run: check --calls 2 -DCAS
//@ expect: error code=L0124 message="`cas` takes no `key`"
//@ run: check --calls 2 -DREGISTER
//@ expect: error code=L0124 message="`write` takes no `value`"
//@ run: check --calls 2 -DCOUNTER
//@ expect: error code=L0124 message="`add` of this type has no `key`"
//@ run: check --calls 2 -DMAP
//@ expect: error code=L0124 message="`put` takes no `value`"
//@ from: a key in the place of a value was taken for one, and then not
#include <stdatomic.h>
#ifdef CAS
#pragma lineal object cas-register args=equality
#pragma lineal op cas = get()
#endif
#ifdef REGISTER
#pragma lineal object register args=independent
#pragma lineal op write = put(key)
#endif
#ifdef COUNTER
#pragma lineal object counter
#pragma lineal values 1..2
#pragma lineal op add = put(key)
#endif
#ifdef MAP
#pragma lineal object map args=equality
#pragma lineal op put = put(key)
#endif
static atomic_int cell;
void put(int v) { cell = v; }
int get(void) { return cell; }
