// A queue whose dequeues may be out of order: the segmented queue of Afek, Korland and Yanovsky.
//
// What it is. A row of segments of SIZE cells. Enqueues fill the cells of the last segment in
// order; dequeues take any element of the first one, beginning at a cell of their choice, so that
// they rarely compete for the same cell. An element is overtaken by at most SIZE - 1 others.
// From: Afek, Korland and Yanovsky, "Quasi-Linearizability: Relaxed Consistency for Improved
// Concurrency", OPODIS 2010. Segments are an array here, and none is used twice.
//
// Why the second look. A cell that was seen empty may be filled before the last element of the
// other cells is taken; so a dequeue that found nothing looks at the empty cells again.
//
// Memory orders. An element is handed over by the cell: stored with *release*, taken with
// *acquire*. Head and tail hand over that a segment is used up: who moves them has read the cells
// of that segment, and who reads them must not find one of these cells empty again.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --calls 4
//@ expect: violated
//@ note: it is no queue: with two elements in a segment either may leave first
//@ run: check --calls 4 --quasi dequeue=1
//@ expect: holds scope.calls=4 scope.quasi.factors="dequeue=1"
//@ run: check --calls 3 --quasi dequeue=1 --memory ra
//@ expect: holds
//@ run: check --calls 3 --quasi dequeue=1 --memory tso
//@ expect: holds
//@ run: check --calls 3 --quasi dequeue=1 --memory sc
//@ expect: holds
//@ run: check --calls 4 --quasi-max dequeue
//@ expect: holds smallest.factor=1 smallest.below.kind=client
//@ run: check -DBUGGY1 --calls 3 --quasi dequeue=1 --memory sc
//@ expect: violated witness.calls=3
//@ note: a dequeue that finds nothing goes on to the next segment: what comes then is lost
//@ run: check -DBUGGY2 --calls enqueue=3,dequeue=1 --quasi dequeue=1 --memory sc
//@ expect: violated witness.calls=4
//@ note: a dequeue may take from the segment after the first
//@ run: check -DRELAXED --calls 3 --quasi dequeue=1 --memory sc
//@ expect: holds
//@ run: check -DRELAXED --calls 3 --quasi dequeue=1
//@ expect: violated witness.kind=sync witness.calls=2
//@ note: in order it is all the same, but the element is handed over without synchronisation
#include <stdatomic.h>

int __VERIFIER_nondet_range(int low, int high);

#ifndef SIZE
#define SIZE 2
#endif
#ifdef RELAXED
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif

enum { SEGMENTS = 4, UNUSED = 0, GONE = -1 };

static atomic_int cells[SEGMENTS][SIZE];
static atomic_int head, tail;

#ifndef OWN
#pragma lineal object queue level=R args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0
#endif

static void enqueue(int value)
{
    for (;;) {
        int last = atomic_load_explicit(&tail, memory_order_acquire);
        for (int i = 0; i < SIZE; i++) {
            int unused = UNUSED;
            if (atomic_compare_exchange_strong_explicit(&cells[last][i], &unused, value, HAND_OVER,
                                                        memory_order_acquire))
                return;
        }
        int full = last;
        atomic_compare_exchange_strong_explicit(&tail, &full, last + 1, memory_order_acq_rel,
                                                memory_order_acquire);
    }
}

static int dequeue(void)
{
    for (;;) {
        int first = atomic_load_explicit(&head, memory_order_acquire);
        int begin = __VERIFIER_nondet_range(0, SIZE - 1);
        int unused = 0;
#ifdef BUGGY2
        first += __VERIFIER_nondet_range(0, 1);
#endif
        for (int i = 0; i < SIZE; i++) {
            atomic_int *cell = &cells[first][(begin + i) % SIZE];
            int value = atomic_load_explicit(cell, memory_order_acquire);
            if (value == UNUSED)
                unused++;
            else if (value != GONE
                     && atomic_compare_exchange_strong_explicit(cell, &value, GONE, memory_order_acq_rel,
                                                                memory_order_acquire))
                return value;
        }
        if (unused == 0) {
            /* all are gone: go on, and take the tail along */
            int here = first;
            atomic_compare_exchange_strong_explicit(&tail, &here, first + 1, memory_order_acq_rel,
                                                    memory_order_acquire);
            here = first;
            atomic_compare_exchange_strong_explicit(&head, &here, first + 1, memory_order_acq_rel,
                                                    memory_order_acquire);
            continue;
        }
        for (int i = 0; i < SIZE; i++)
            if (atomic_load_explicit(&cells[first][i], memory_order_acquire) == UNUSED)
                unused--;
        if (unused != 0 || atomic_load_explicit(&head, memory_order_acquire) != first)
            continue;
#ifdef BUGGY1
        int here = first;
        atomic_compare_exchange_strong_explicit(&head, &here, first + 1, memory_order_acq_rel,
                                                memory_order_acquire);
#endif
        return 0;
    }
}
