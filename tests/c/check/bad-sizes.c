//@ run: check
//@ expect: error code=L0121 message="a semaphore needs `count=N`"
//@ run: check -DBARRIER
//@ expect: error code=L0121 message="`parties=0` is not understood"
//@ run: check -DWRONG
//@ expect: error code=L0121 message="only a barrier has `parties`"
//@ run: check -DFULL
//@ expect: error code=L0124 message="how much there is, is not said"
//@ run: check -DFULL_REGISTER
//@ expect: error code=L0124 message="no room to run out of"
//@ run: check -DFAIL
//@ expect: error code=L0124 message="may fail, but has no answer"
// What a type needs to be told, and what it has no use for.
#if defined BARRIER
#pragma lineal object barrier parties=0
#pragma lineal op wait = f()
#elif defined WRONG
#pragma lineal object queue parties=2 args=independent
#pragma lineal op enqueue = g(value)
#elif defined FULL
#pragma lineal object queue args=independent
#pragma lineal op enqueue = g(value), full if result
#elif defined FULL_REGISTER
#pragma lineal object register args=equality
#pragma lineal op write = g(value), full if result
#elif defined FAIL
#pragma lineal object queue args=independent
#pragma lineal op enqueue = g(value), may fail
#else
#pragma lineal object semaphore
#pragma lineal op post = f()
#endif
void f(void) { }
int g(int value) { return value; }
