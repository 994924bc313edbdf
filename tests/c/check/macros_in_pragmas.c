//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 4 -D ROOM=3
//@ expect: violated
//@ run: check --calls 4 -D EMPTY=0
//@ expect: violated
// Declarations may use macros of the file, also those that are defined further down, as clients at its end could.
// The words of declarations themselves are not replaced.
#include <pthread.h>

#ifndef ROOM
#define ROOM N
#endif
#pragma lineal object queue capacity=ROOM args=independent
#pragma lineal init START
#pragma lineal op enqueue = PUT(value), full if result == NO
#pragma lineal op dequeue = GET -> value, empty if result == EMPTY

#define N 2
struct queue {
    int elements[N], n;
};
static struct queue *q, room;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void start(struct queue **which)
{
    *which = &room;
}

static _Bool put(struct queue *queue, int element)
{
    pthread_mutex_lock(&m);
    _Bool fits = queue->n < N;
    if (fits)
        queue->elements[queue->n++] = element;
    pthread_mutex_unlock(&m);
    return fits;
}

static int get(struct queue *queue)
{
    int first = -1;
    pthread_mutex_lock(&m);
    if (queue->n > 0) {
        first = queue->elements[0];
        queue->n--;
        for (int i = 0; i < queue->n; i++)
            queue->elements[i] = queue->elements[i + 1];
    }
    pthread_mutex_unlock(&m);
    return first;
}

#define NO (_Bool)0
#ifndef EMPTY
#define EMPTY (-1)
#endif
#define START start(&q)
#define PUT(x) put(q, x)
#define GET get(q)
#define value nothing to do with it
#define enqueue nor this
