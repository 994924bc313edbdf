//@ run: check --client "acquire(); acquire(); release() || acquire()"
//@ expect: violated
//@ run: check --client "release()"
//@ expect: holds scope.vacuous.len=1
//@ from: a release is made by a thread that holds the lock, whatever its last call
#include <stdatomic.h>
#pragma lineal object try-lock
#pragma lineal op acquire = t()
#pragma lineal op release = u()
static atomic_int h;
int t(void){ if (h) return 0; h = 1; return 1; }
void u(void){ h = 0; }
