//@ run: check
//@ expect: error code=L0122 line=6 message="there is no function `deq`"
#pragma lineal object queue args=independent
#pragma lineal op enqueue = enq(value)
// The help names what is there.
#pragma lineal op dequeue = deq() -> value, empty if result == -1
void enq(int v) { (void)v; }
int dequ(void) { return -1; }
