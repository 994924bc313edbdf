//@ from: darkautism/lfqueue 944a77cb6a05d2a800beac736424b12171fc709c
//@ run: check --calls 4 -I @darkautism/lfqueue --volatile seq-cst --time-limit 60s
//@ expect: violated
/* darkautism/lfqueue. */
#include "lfq.c"
static struct lfq_ctx q;
#pragma lineal object queue args=independent
#pragma lineal init lfq_init(&q, 4)
#pragma lineal op enqueue = lfq_enqueue(&q, (void *)(long)(value + 1))
#pragma lineal op dequeue = take(thread) -> value, empty if result == -1
static long take(int thread) { void *p = lfq_dequeue_tid(&q, thread); return p ? (long)p - 1 : -1; }
