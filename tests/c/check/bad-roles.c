//@ run: check -DTRAILING
//@ expect: error code=L0125 message="`max=1 foo` is not understood"
//@ run: check
//@ expect: error code=L0125 line=12 message="`enqueue` has two roles, `producer` and `owner`"
#pragma lineal object queue args=independent
#pragma lineal op enqueue = enq(value)
#pragma lineal op dequeue = deq() -> value, empty if result == -1
#pragma lineal role producer: enqueue max=1
#ifdef TRAILING
#pragma lineal role third: dequeue max=1 foo
#else
#pragma lineal role owner: dequeue enqueue max=1
#endif
void enq(int v) { (void)v; }
int deq(void) { return -1; }
