// A stack whose pushes may be out of order: of two pushes with nothing in between, the second goes
// below the first.
//
// What it is. Every element that is pushed on its own may be joined by one more, which is put below
// it; so neighbours change places, and no push is farther from its place than that. With BUGGY three
// may meet, and the last goes to the bottom.
//
// Which factor. push=1: the pushes are out of order, not the pops. A factor for pops would not do:
// whatever is pushed before an element that should have left already keeps it there for ever.
//
// Verdicts:
//@ run: check --calls 4 --memory sc
//@ expect: violated
//@ run: check --calls 4 --quasi push=1
//@ expect: holds
//@ run: check --calls 4 --memory sc --quasi-max push
//@ expect: holds smallest.factor=1
//@ run: check --calls push=3,pop=3 --memory sc --quasi pop=1
//@ expect: violated
//@ run: check -DBUGGY --calls push=3,pop=3 --memory sc --quasi push=1
//@ expect: violated
//@ run: check -DBUGGY --calls push=3,pop=3 --memory sc --quasi push=2
//@ expect: holds
#include <pthread.h>

#ifdef BUGGY
enum { GROUP = 3 };
#else
enum { GROUP = 2 };
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int elements[8], height;
static int group; /* so many on top were pushed together */

#pragma lineal object stack args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == -1

static void push(int element)
{
    pthread_mutex_lock(&lock);
    if (group == GROUP)
        group = 0;
    int i = height++;
    for (int k = 0; k < group; k++, i--)
        elements[i] = elements[i - 1];
    elements[i] = element;
    group++;
    pthread_mutex_unlock(&lock);
}

static int pop(void)
{
    pthread_mutex_lock(&lock);
    int element = height > 0 ? elements[--height] : -1;
    group = 0;
    pthread_mutex_unlock(&lock);
    return element;
}
