//@ run: check
//@ expect: error code=L0122 line=4 message="the type has no operation `push`"
#pragma lineal object queue args=independent
#pragma lineal op push = push(value)
void push(int v) { (void)v; }
