// The segmented queue held against a queue that its author wrote as sequential C, relaxed.
//
// What it is. The specification at the end is a plain first-in-first-out queue. --quasi relaxes it like
// a built-in type; only, since Lineal does not know what its calls are for, a dequeue must say where
// its value comes from by the specification alone.
//
// Verdicts:
//@ run: check --calls 4 --memory sc
//@ expect: violated
//@ run: check --calls 4 --memory sc --quasi dequeue=1
//@ expect: holds scope.quasi.factors="dequeue=1" scope.quasi.caused=false
//@ run: check --calls 4 --quasi dequeue=1
//@ expect: holds
//@ run: check -DBUGGY2 --calls enqueue=3,dequeue=1 --memory sc --quasi dequeue=1
//@ expect: violated witness.calls=4
//@ run: check --calls 4 --memory sc --quasi-max dequeue
//@ expect: holds smallest.factor=1
//@ run: check --calls 3 --memory sc -DENDLESS --quasi dequeue=1
//@ expect: unknown
//@ note: a specification that cannot be followed says nothing about the object
#define OWN
#include "segmented-queue.c"

#pragma lineal object spec args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0
#pragma lineal spec enqueue = spec_enqueue(value)
#pragma lineal spec dequeue = spec_dequeue()

static int spec_elements[8], spec_first, spec_end;

static void spec_enqueue(int value)
{
    spec_elements[spec_end++] = value;
}

static int spec_dequeue(void)
{
#ifdef ENDLESS
    while (spec_first == spec_end)
        spec_end += 0;
#endif
    if (spec_first == spec_end)
        return 0;
    int value = spec_elements[spec_first];
    spec_elements[spec_first++] = 0;
    return value;
}
