// A queue under one lock, as a specification of others.
//
// What it is. An array, two indices, and a mutex around every call: the sequential queue made
// concurrent in the simplest way. From: Golovin, Kokologiannakis and Vafeiadis, "Automatically
// Checking Linearizability under Relaxed Memory Consistency", POPL 2025, Example 2.1.
//
// What it says as a specification. The answers are those of a queue. But the lock makes every call
// synchronise with every later one, more than a queue for many threads should have to promise. So
// under sc, where synchronisation makes no difference, other queues refine it; under rc11 queues
// that let calls pass each other do not: dequeues that find nothing are enough to tell. The other
// way round it refines whatever asks for less: front-back.c, which is Example 2.2.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level total --calls 4
//@ expect: holds
//@ run: check --against front-back.c --calls 4
//@ expect: holds
//@ run: check --against global-lock.c --calls 4
//@ expect: holds
//@ run: check --against front-back.c --calls 3 --memory sc
//@ expect: holds
//@ run: check --against front-back.c --calls 3 --memory tso
//@ expect: holds
#include <pthread.h>

#pragma lineal object queue level=R args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

enum { SLOTS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int array[SLOTS];
static int front, back;

/* Any value but 0; at most SLOTS calls. */
void enqueue(int value)
{
    pthread_mutex_lock(&lock);
    array[back] = value;
    back = back + 1;
    pthread_mutex_unlock(&lock);
}

/* 0 when the queue is empty. */
int dequeue(void)
{
    int value = 0;
    pthread_mutex_lock(&lock);
    if (front < back) {
        value = array[front];
        front = front + 1;
    }
    pthread_mutex_unlock(&lock);
    return value;
}
