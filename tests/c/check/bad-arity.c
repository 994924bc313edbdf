//@ run: check
//@ expect: error code=L0123 line=4 message="`enq` takes 2 arguments, and is given 1 here"
#pragma lineal object queue args=independent
#pragma lineal op enqueue = enq(value)
void enq(int *q, int v) { *q = v; }
