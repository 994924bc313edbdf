//@ from: sysprog21/concurrent-programs e04b9c3654043276f523a50b9f29fd7d135d5809
//@ run: check --calls 4 -I @sysprog21/concurrent-programs/lf-queue --time-limit 60s
//@ expect: violated
/* lf-queue of sysprog21/concurrent-programs. */
#include "lfq.c"

static struct lfq_ctx q;
#pragma lineal object queue args=independent
#pragma lineal init lfq_init(&q, 4)
#pragma lineal op enqueue = lfq_enqueue(&q, (void *)(long)(value + 1))
#pragma lineal op dequeue = take(thread) -> value, empty if result == -1
static long take(int thread) { void *p = lfq_dequeue_tid(&q, thread); return p ? (long)p - 1 : -1; }
