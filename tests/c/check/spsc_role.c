//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 4 -DNOBODY
//@ expect: violated
// A ring for one producer and one consumer.
#include <stdatomic.h>
#pragma lineal object queue args=independent
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == -1
#ifndef NOBODY
#pragma lineal role producer: enqueue max=1
#pragma lineal role consumer: dequeue max=1
#endif
static atomic_int head, tail;
static int ring[8];
void enqueue(int value) {
    int t = atomic_load_explicit(&tail, memory_order_relaxed);
    ring[t] = value;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
}
int dequeue(void) {
    int h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == atomic_load_explicit(&tail, memory_order_acquire)) return -1;
    int v = ring[h];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return v;
}
