//@ run: check --calls 3
//@ expect: error code=L0128 line=5 message="`dequeue` never returns"
#pragma lineal object queue args=independent
#pragma lineal op enqueue = enq(value)
#pragma lineal op dequeue = deq() -> value, empty if result == -1
static _Atomic int full, never;
void enq(int v) { full = v; }
int deq(void) {
    while (!never) {
    }
    return full;
}
