//@ from: darkautism/lfqueue 944a77cb6a05d2a800beac736424b12171fc709c
//@ run: check --calls 4 -I @darkautism/lfqueue --volatile seq-cst --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @darkautism/lfqueue --volatile seq-cst --memory tso --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @darkautism/lfqueue --volatile seq-cst --memory tso --races ignore -DMAY_FAIL --time-limit 60s
//@ expect: holds
/* darkautism/lfqueue. */
#include "lfq.c"
static struct lfq_ctx q;
#pragma lineal object queue args=independent
#pragma lineal init lfq_init(&q, 4)
#pragma lineal op enqueue = lfq_enqueue(&q, (void *)(long)(value + 1))
#ifdef MAY_FAIL /* it may find nothing while an enqueue before another one is under way */
#pragma lineal op dequeue = take(thread) -> value, empty if result == -1, may fail
#else
#pragma lineal op dequeue = take(thread) -> value, empty if result == -1
#endif
static long take(int thread) { void *p = lfq_dequeue_tid(&q, thread); return p ? (long)p - 1 : -1; }
