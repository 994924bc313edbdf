//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 2 -DROOM=3
//@ expect: holds
//@ run: check --calls 4 -DROOM=3
//@ expect: violated  witness.kind=result  witness.calls=3
//@ run: check --calls 4 -DROOM=1
//@ expect: violated  witness.kind=result  witness.calls=2
//@ run: check --calls 2 -DEARLY
//@ expect: violated  witness.kind=result  witness.calls=1
//@ run: check --calls 4 -DEARLY -DMAY_FAIL
//@ expect: holds
// A queue with room for two. Said to have more, it is full too early; said to have less, it takes
// too many. One that is full for no reason is right if it may be.
#include <pthread.h>
#ifndef ROOM
#define ROOM 2
#endif
#define SLOTS 2
#define STRING(x) #x
#define LINE(x) _Pragma(STRING(x))
#define OBJECT(n) LINE(lineal object queue args=independent capacity=n)
OBJECT(ROOM)
#ifdef MAY_FAIL
#pragma lineal op enqueue = put(value), full if !result, may fail
#else
#pragma lineal op enqueue = put(value), full if !result
#endif
#pragma lineal op dequeue = get() -> value, empty if result == -1

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int slots[SLOTS], first, count;

int put(int value)
{
    pthread_mutex_lock(&m);
#ifdef EARLY
    int fits = 0;
#else
    int fits = count < SLOTS;
#endif
    if (fits) slots[(first + count++) % SLOTS] = value;
    pthread_mutex_unlock(&m);
    return fits;
}

int get(void)
{
    int value = -1;
    pthread_mutex_lock(&m);
    if (count > 0) {
        value = slots[first];
        first = (first + 1) % SLOTS;
        count--;
    }
    pthread_mutex_unlock(&m);
    return value;
}
