//@ run: check
//@ expect: error code=L0124 line=4 message="`deq` returns nothing, so `dequeue` has no result"
#pragma lineal object queue args=independent
#pragma lineal op dequeue = deq() -> value, empty if result == -1
void deq(void) {}
