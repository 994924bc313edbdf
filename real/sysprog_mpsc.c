//@ from: sysprog21/concurrent-programs e04b9c3654043276f523a50b9f29fd7d135d5809
//@ run: check --calls 4 -I @sysprog21/concurrent-programs/mpsc --time-limit 60s
//@ expect: violated
/* mpsc of sysprog21/concurrent-programs: several producers, one consumer. */
#define main mpsc_main
#include "mpsc.c"
#undef main
static queue_p q;
#pragma lineal object queue args=independent
#pragma lineal init q = queue_create(sizeof(long))
#pragma lineal op enqueue = put(value)
#pragma lineal op dequeue = take() -> value, empty if result == -1
#pragma lineal role consumer: dequeue max=1
static void put(long v) { queue_push(q, &v); }
static long take(void)
{
    long v;
    if (queue_has_front(q) != QUEUE_TRUE) return -1;
    queue_front(q, &v);
    queue_pop(q);
    return v;
}
