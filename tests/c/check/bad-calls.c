//@ run: check --calls 0
//@ expect: error code=L0017 message="without a call there is nothing to check"
//@ run: check --calls 99
//@ expect: error code=L0017 message="more than Lineal can look at"
//@ run: check --calls dequeue=2
//@ expect: error code=L0017 message="the object has no operation `dequeue`"
//@ run: check --calls enqueue=2,enqueue=3
//@ expect: error code=L0017 message="`enqueue` is said twice"
//@ run: check --calls enqueue=18446744073709551615
//@ expect: error code=L0017 message="more than Lineal can look at"
//@ run: check --level "()"
//@ expect: error code=L0017 message="there is no pair"
//@ run: check --level "(enqueue->enqueue:key)"
//@ expect: error code=L0017 message="goes by key"
//@ run: check --level "(enqueue->enqueue:value)"
//@ expect: error code=L0017 message="answers none"
//@ run: check --calls enqueue
//@ expect: error code=L0017 message="is not understood"
//@ run: check --client "enqueue(1, 2)"
//@ expect: error code=L0017 message="enqueue takes 1 argument, not 2"
//@ run: check --client "|| ;"
//@ expect: error code=L0017 message="there is no call in it"
//@ run: check --level RIP
//@ expect: error code=L0017 message="is no level of synchronisation"
//@ run: check --level "(enqueue->dequeue)"
//@ expect: error code=L0017 message="the object has no operation `dequeue`"
//@ run: check --replay nonsense
//@ expect: error code=L0014 message="this is not a token"
#pragma lineal object queue args=independent
#pragma lineal op enqueue = enq(value)
void enq(int v) { (void)v; }
