//@ run: check --calls 3
//@ expect: holds
//@ from: other arguments of the class must fit the type as well
#include <stdatomic.h>
#pragma lineal object register args=independent
#pragma lineal op write = wr(value)
#pragma lineal op read = rd() -> value
static _Atomic unsigned char r;
void wr(unsigned char v) { r = v; }
unsigned char rd(void) { return r; }
