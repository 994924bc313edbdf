//@ from: supermartian/lockfree-queue 2cdf763421a4cf20b656260b55bf8813664b3fde
//@ run: check --calls 4 -I @supermartian/lockfree-queue --volatile relaxed --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @supermartian/lockfree-queue --volatile relaxed --races ignore --memory tso --time-limit 60s
//@ expect: violated
/* supermartian/lockfree-queue. */
#include "pkt_queue.c"
static struct queue_root *q;
#pragma lineal object queue args=independent
#pragma lineal init init_queue(&q)
#pragma lineal op enqueue = queue_add(q, (void *)(long)(value + 1))
#pragma lineal op dequeue = take() -> value, empty if result == -1
static long take(void) { void *p = queue_get(q); return p ? (long)p - 1 : -1; }
