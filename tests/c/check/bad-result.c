//@ run: check
//@ expect: error line=5 message="`nothing` is not declared"
#pragma lineal object queue args=independent
#pragma lineal op enqueue = enq(value)
#pragma lineal op dequeue = deq() -> value, empty if result == nothing
void enq(int v) { (void)v; }
int deq(void) { return -1; }
