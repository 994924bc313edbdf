//@ from: chaoran/fast-wait-free-queue d41ec16e5169c864e5fdbe05e1988358bd335fa0
//@ run: check --calls 3 -I @chaoran/fast-wait-free-queue -DCCQUEUE --volatile relaxed --time-limit 60s
//@ expect: violated
//@ run: check --calls 3 -I @chaoran/fast-wait-free-queue -DCCQUEUE --volatile relaxed --races ignore --memory tso --time-limit 60s
//@ expect: holds
/* ccqueue of chaoran/fast-wait-free-queue. */

#include "ccqueue.c"

static queue_t q;
static handle_t handles[4];
#pragma lineal object queue args=independent
#pragma lineal init queue_init(&q, 4)
#pragma lineal thread_init queue_register(&q, &handles[thread], thread)
#pragma lineal op enqueue = enqueue(&q, &handles[thread], (void *)(value + 1))
#pragma lineal op dequeue = take(thread) -> value, empty if result == -1
#pragma lineal threads alike
static long take(int thread)
{
    void *p = dequeue(&q, &handles[thread]);
    return p == (void *)-1 ? -1 : (long)p - 1;
}
