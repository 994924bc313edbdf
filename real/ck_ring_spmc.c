//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: check --calls 4 -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* Concurrency Kit's ring for one producer and many consumers, with room for three. */
#include <ck_ring.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];

#pragma lineal object queue args=independent capacity=3
#pragma lineal init ck_ring_init(&ring, 4)
#pragma lineal op enqueue = put(value), full if !result
#pragma lineal op dequeue = get() -> value, empty if result == -1
#pragma lineal role producer: enqueue max=1

static bool put(long value) { return ck_ring_enqueue_spmc(&ring, buffer, (void *)(value + 1)); }
static long get(void)
{
    void *p;
    return ck_ring_dequeue_spmc(&ring, buffer, &p) ? (long)p - 1 : -1;
}
