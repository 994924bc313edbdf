// A queue that says itself by how much its dequeues are out of order: of two elements the second leaves
// first, and then the first.
//
//@ run: check --calls 4 --memory sc
//@ expect: holds scope.quasi.factors="dequeue=1" scope.quasi.semantics=classes
//@ run: check --calls 4 --memory sc --quasi dequeue=0
//@ expect: violated
//@ note: the command line takes the place of the pragma
//@ run: check --calls 4 --memory sc --quasi enqueue=1
//@ expect: holds scope.quasi.factors="enqueue=1"
//@ note: all of it, also of classes that are not named again
//@ run: check --calls 4 --memory sc --quasi-semantics literal
//@ expect: holds scope.quasi.factors="dequeue=1" scope.quasi.semantics=literal
//@ run: check --calls 4 --memory sc --quasi-max dequeue
//@ expect: holds smallest.factor=1 smallest.class=dequeue
//@ run: check --calls 3 --memory sc -DWORD=literal --quasi-max enqueue
//@ expect: holds smallest.factor=0 scope.quasi.factors="dequeue=1, enqueue=0" scope.quasi.semantics=literal
//@ run: check --calls 3 --memory sc --against ../../../examples/queue/global-lock.c
//@ expect: violated
//@ note: with another object in place of the type, its factors do not matter
//@ run: check -DTAKES=take=1
//@ expect: error code=L0133 message="there is no operation `take` to relax"
//@ run: check -DTAKES=dequeue=-1
//@ expect: error code=L0133 message="the factor of dequeue is -1"
//@ run: check -DTAKES=dequeue=99999999999999999999
//@ expect: error code=L0133 message="is too much"
//@ run: check -DOVERLAP
//@ expect: error code=L0133 message="`dequeue` is in two classes"
//@ run: check -DTAKES=dequeue
//@ expect: error code=L0133 message="`dequeue` has no factor"
//@ run: check -DTWICE
//@ expect: error code=L0133 message="`quasi` is declared twice"
//@ run: check -DSEVERAL
//@ expect: error code=L0133 message="windows have one factor"
#include <pthread.h>
#ifndef TAKES
#define TAKES dequeue=1
#endif
#ifndef WORD
#define WORD
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int array[16], front, back, passed;

void put(int value)
{
    pthread_mutex_lock(&lock);
    array[back++] = value;
    pthread_mutex_unlock(&lock);
}

#pragma lineal object queue level=none args=independent
#pragma lineal op enqueue = put(value)
#pragma lineal op dequeue = get() -> value, empty if result == 0
#ifdef TWICE
#pragma lineal quasi enqueue=0
#endif
#ifdef OVERLAP
#pragma lineal quasi dequeue=1, {enqueue,dequeue}=2
#elif defined SEVERAL
#pragma lineal quasi dequeue=1, enqueue=1 windows
#else
#define PRAGMA(text) _Pragma(#text)
#define SAY(text) PRAGMA(lineal quasi text)
SAY(TAKES WORD)
#endif

int get(void)
{
    pthread_mutex_lock(&lock);
    int value = 0;
    if (passed) {
        value = array[front];
        front += 2;
        passed = 0;
    } else if (back - front > 1) {
        value = array[front + 1];
        passed = 1;
    } else if (back > front) {
        value = array[front++];
    }
    pthread_mutex_unlock(&lock);
    return value;
}
