//@ run: check
//@ expect: error code=L0127 line=3 message="nothing says what the code does with its arguments"
#pragma lineal object queue
#pragma lineal op enqueue = enq(value)
void enq(int v) { (void)v; }
