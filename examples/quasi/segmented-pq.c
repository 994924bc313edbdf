// A priority queue whose removals may be out of order: the first segment is any of the SIZE smallest.
//
// What it is. When the first segment is used up, the SIZE smallest elements become the next one; a
// removal takes any of them. Insertions go to the others, also if they are smaller than what is in
// the first segment: it is closed until it is empty. A lock protects it all; how the segments are
// kept without one is not the point here.
//
// Which semantics. Smaller elements that come while the first segment is closed have to wait for
// it. Where each place keeps its class (the usual semantics) no factor covers that for ever, since
// insertions do not move; with `literal` an insertion moves past removals as it likes, and the factor
// is SIZE - 1. For clients as small as these both will do.
// From: Adhikari and others, "Verifying a Quantitative Relaxation of Linearizability via
// Refinement", SPIN 2013, which names the structure and prints none.
//
// Verdicts:
//@ run: check --calls 4 --memory sc
//@ expect: violated
//@ run: check --calls 4 --memory sc --quasi remove=1 --quasi-semantics literal
//@ expect: holds scope.quasi.semantics=literal
//@ run: check --calls 4 --quasi remove=1 --quasi-semantics literal
//@ expect: holds
//@ run: check --calls insert=3,remove=3 --memory sc --quasi remove=1
//@ expect: violated
//@ note: a smaller element waits for what is in the closed segment
//@ run: check -DBUGGY --calls insert=3,remove=2 --memory sc --quasi remove=1 --quasi-semantics literal
//@ expect: violated
//@ note: a removal that finds nothing passes over the next segment
#include <pthread.h>

int __VERIFIER_nondet_range(int low, int high);

#ifndef SIZE
#define SIZE 2
#endif

enum { MOST = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int waiting[MOST], count; /* sorted */
static int first[SIZE], left;
#ifdef BUGGY
static int skipped;
#endif

#pragma lineal object pq level=none args=order
#pragma lineal op insert = insert(prio)
#pragma lineal op remove = remove_any() -> value, empty if result == -1

static void insert(int element)
{
    pthread_mutex_lock(&lock);
    int i = count++;
    for (; i > 0 && waiting[i - 1] > element; i--)
        waiting[i] = waiting[i - 1];
    waiting[i] = element;
    pthread_mutex_unlock(&lock);
}

static int remove_any(void)
{
    pthread_mutex_lock(&lock);
    int element = -1;
    if (left == 0) {
        int from = 0;
#ifdef BUGGY
        if (skipped && count > SIZE)
            from = SIZE;
#endif
        while (left < SIZE && from < count) {
            first[left++] = waiting[from];
            count--;
            for (int i = from; i < count; i++)
                waiting[i] = waiting[i + 1];
        }
    }
    if (left > 0) {
        int i = __VERIFIER_nondet_range(0, left - 1);
        element = first[i];
        first[i] = first[--left];
    }
#ifdef BUGGY
    if (element == -1)
        skipped = 1;
#endif
    pthread_mutex_unlock(&lock);
    return element;
}
