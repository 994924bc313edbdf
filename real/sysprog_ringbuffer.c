//@ from: sysprog21/concurrent-programs e04b9c3654043276f523a50b9f29fd7d135d5809
//@ run: check --calls 4 -I @sysprog21/concurrent-programs/ringbuffer --volatile relaxed --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @sysprog21/concurrent-programs/ringbuffer --volatile relaxed --memory tso --time-limit 60s
//@ expect: holds
/* ringbuffer of sysprog21/concurrent-programs, one producer and one consumer. */
#define main ringbuffer_main
#include "ringbuffer.c"
#undef main
static ringbuf_t *r;
#pragma lineal object queue args=independent
#pragma lineal init r = ringbuf_create(8)
#pragma lineal op enqueue = ringbuf_sp_enqueue(r, (void *)(long)(value + 1))
#pragma lineal op dequeue = take() -> value, empty if result == -1
#pragma lineal role producer: enqueue max=1
#pragma lineal role consumer: dequeue max=1
static long take(void) { void *p; return ringbuf_sc_dequeue(r, &p) == 0 ? (long)p - 1 : -1; }
