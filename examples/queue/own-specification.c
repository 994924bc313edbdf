// A queue held against a specification of its author's own, written under a partial lock.
//
// What it is. The queue is one array and one word with both of its ends (front-back.c). What it
// promises is the code at the end of this file: a queue that holds a lock during each call.
// From: Golovin, Kokologiannakis and Vafeiadis, "Automatically Checking Linearizability under
// Relaxed Memory Consistency", POPL 2025: example 2.2 is the queue, example 2.3 the specification.
//
// Why a partial lock. An ordinary lock would make every call synchronise with the next, which is
// more than a queue for many threads should promise, and more than this one keeps. A partial lock
// lets one call in at a time and promises nothing else: which calls see which others is said by
// the memory orders of the accesses inside. Here the element is stored with release and loaded
// with acquire, so a dequeue sees the enqueue whose element it returns, and nothing more: level R
// of the built-in queue. With -DENQUEUES_TOO each enqueue sees the one before it, too (level RI);
// this queue does not keep that.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --calls 4
//@ expect: holds scope.calls=4
//@ run: check --calls 4 --memory ra
//@ expect: holds
//@ run: check --calls 3 --memory tso
//@ expect: holds
//@ run: check -DENQUEUES_TOO --calls 2
//@ expect: violated witness.kind=sync witness.calls=2
//@ run: check -DENQUEUES_TOO --calls 3 --memory sc
//@ expect: holds
//@ run: check -DRELAXED_SLOT --calls 3
//@ expect: violated witness.kind=sync witness.calls=2
//@ note: the element is handed over without synchronisation
#include <stdatomic.h>

void lineal_plock(int *lock);
void lineal_punlock(int *lock);

#pragma lineal object spec args=independent
#pragma lineal op enqueue = queue_enqueue(&queue, value)
#pragma lineal op dequeue = queue_dequeue(&queue) -> value, empty if result == 0
#pragma lineal spec enqueue = spec_enqueue(value)
#pragma lineal spec dequeue = spec_dequeue()

enum { SLOTS = 10 };

#ifdef RELAXED_SLOT
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif

struct queue {
    _Atomic unsigned long ends; /* front << 32 | back */
    _Atomic int slot[SLOTS];    /* 0: not there yet */
};

struct queue queue;

void queue_enqueue(struct queue *q, int value)
{
    unsigned long k = atomic_fetch_add_explicit(&q->ends, 1, memory_order_relaxed);
    atomic_store_explicit(&q->slot[k & 0xffffffff], value, HAND_OVER);
}

int queue_dequeue(struct queue *q)
{
    unsigned long k = atomic_load_explicit(&q->ends, memory_order_relaxed);
    do {
        if (k >> 32 >= (k & 0xffffffff))
            return 0;
    } while (!atomic_compare_exchange_strong_explicit(&q->ends, &k, k + (1ul << 32),
                                                      memory_order_relaxed, memory_order_relaxed));
    int value;
    while ((value = atomic_load_explicit(&q->slot[k >> 32], memory_order_acquire)) == 0) {
    }
    return value;
}

/* The specification. */
static int lock;
static int front;
#ifdef ENQUEUES_TOO
static _Atomic int back; /* read and written as acquire and release */
#define GET_BACK atomic_load_explicit(&back, memory_order_acquire)
#define SET_BACK(n) atomic_store_explicit(&back, n, memory_order_release)
#define LOOK_BACK atomic_load_explicit(&back, memory_order_relaxed)
#else
static int back;
#define GET_BACK back
#define SET_BACK(n) (back = (n))
#define LOOK_BACK back
#endif
static _Atomic int array[SLOTS];

void spec_enqueue(int value)
{
    lineal_plock(&lock);
    int last = GET_BACK;
    atomic_store_explicit(&array[last], value, memory_order_release);
    SET_BACK(last + 1);
    lineal_punlock(&lock);
}

int spec_dequeue(void)
{
    int value = 0;
    lineal_plock(&lock);
    if (front < LOOK_BACK) {
        value = atomic_load_explicit(&array[front], memory_order_acquire);
        front = front + 1;
    }
    lineal_punlock(&lock);
    return value;
}
