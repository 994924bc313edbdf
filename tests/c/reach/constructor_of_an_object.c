//@ run: check --calls 2
//@ expect: holds
// What runs before main runs before the first call, too.
#include <assert.h>
#include <stdatomic.h>

#pragma lineal object register args=independent
#pragma lineal op write = set(value)
#pragma lineal op read = get() -> value

static int ready;
static _Atomic int r;
__attribute__((constructor)) static void begin(void) { ready = 1; }
void set(int v) { assert(ready); atomic_store(&r, v); }
int get(void) { assert(ready); return atomic_load(&r); }
