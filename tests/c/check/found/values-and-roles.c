//@ run: check --calls 4
//@ expect: violated
//@ from: orders of different values were taken for one
#include <stdatomic.h>
#pragma lineal object queue args=independent
#pragma lineal values 0..1
#pragma lineal op enqueue = enq(value)
#pragma lineal op dequeue = deq() -> value, empty if result == -1
#pragma lineal role producer: enqueue max=1
#pragma lineal role consumer: dequeue max=1
static atomic_int head, tail;
static atomic_int ring[8];
void enq(int value) {
    int t = atomic_load(&tail);
    /* wrong: a 1 right after a 0 is forgotten */
    if (t > 0 && value == 1 && ring[t-1] == 0) return;
    ring[t] = value;
    atomic_store(&tail, t + 1);
}
int deq(void) {
    int h = atomic_load(&head);
    if (h == atomic_load(&tail)) return -1;
    int v = ring[h];
    atomic_store(&head, h + 1);
    return v;
}
