//@ run: check --calls 3
//@ expect: holds
//@ run: check --client "acquire() || acquire()"
//@ expect: error code=L0017
//@ from: roles of a lock
#include <stdatomic.h>
#pragma lineal object try-lock
#pragma lineal op acquire = try_lock()
#pragma lineal op release = unlock()
#pragma lineal role owner: acquire release max=1
static atomic_int held;
int try_lock(void) { if (held) return 0; held = 1; return 1; }
void unlock(void) { held = 0; }
