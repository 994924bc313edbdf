//@ from: Taymindis/lfqueue e095b6727ae5f5729b11747b7d682c9c2ec8330e
//@ run: check --calls 4 -I @Taymindis/lfqueue --volatile relaxed --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @Taymindis/lfqueue --volatile relaxed --races ignore --memory tso --time-limit 60s
//@ expect: violated
/* Taymindis/lfqueue. */
#include "lfqueue.c"
static lfqueue_t q;
#pragma lineal object queue args=independent
#pragma lineal init lfqueue_init(&q)
#pragma lineal op enqueue = lfqueue_enq(&q, (void *)(long)(value + 1))
#pragma lineal op dequeue = take() -> value, empty if result == -1
static long take(void) { void *p = lfqueue_deq(&q); return p ? (long)p - 1 : -1; }
