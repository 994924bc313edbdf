//@ run: check --calls 3
//@ expect: holds scope.assumptions[0]="executions in which a call waits for ever, of which there are some, are not judged"
//@ from: write(1) || write(2) || read() may answer -7 while a write hangs; only executions in which all calls return are judged
#include <stdatomic.h>
#pragma lineal object register args=independent
#pragma lineal op write = wr(value)
#pragma lineal op read = rd() -> value
static atomic_int r, busy, never;
void wr(int v) {
    if (atomic_exchange(&busy, 1)) { r = -7; while (!never) {} }
    r = v;
    busy = 0;
}
int rd(void) { return r; }
