//@ run: check --calls 3
//@ expect: error code=L0121 message="only tells calls apart if all are different"
//@ from: which of several equal values was taken, such a type cannot tell
#include <stdatomic.h>
void __VERIFIER_assume(int);
#ifdef BUILTIN
#pragma lineal object queue args=equality level=(enqueue->dequeue:value)
#else
#pragma lineal object spec args=equality level=(enqueue->dequeue:value)
#pragma lineal spec enqueue = s_enq(value)
#pragma lineal spec dequeue = s_deq()
#endif
#pragma lineal op enqueue = enq(value)
#pragma lineal op dequeue = deq() -> value
/* an element equal to the one before it is published relaxed */
static atomic_int back, front, slot[8];
void enq(int v){ int k = atomic_fetch_add_explicit(&back,1,memory_order_relaxed);
  if (k > 0 && atomic_load_explicit(&slot[k-1],memory_order_acquire) == v) atomic_store_explicit(&slot[k], v, memory_order_relaxed);
  else atomic_store_explicit(&slot[k], v, memory_order_release); }
int deq(void){ int k = atomic_fetch_add_explicit(&front,1,memory_order_relaxed);
  int v; if (k > 0) while (!atomic_load_explicit(&slot[k-1],memory_order_acquire)) {}
  while (!(v = atomic_load_explicit(&slot[k],memory_order_acquire))) {} return v; }
static int f, b, e[8];
void s_enq(int v){ e[b] = v; b = b + 1; }
int s_deq(void){ __VERIFIER_assume(f < b); f = f + 1; return e[f-1]; }
