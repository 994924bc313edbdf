//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: check --calls 4 -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* Concurrency Kit's ring, many producers and consumers. */
#include <ck_ring.h>
#include <stdint.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[8];

#pragma lineal object queue args=independent
#pragma lineal init ck_ring_init(&ring, 8)
#pragma lineal op enqueue = put(value)
#pragma lineal op dequeue = get() -> value, empty if result == -1

static void put(long value) { if (!ck_ring_enqueue_mpmc(&ring, buffer, (void *)(value + 1))) __builtin_unreachable(); }
static long get(void)
{
    void *p;
    return ck_ring_dequeue_mpmc(&ring, buffer, &p) ? (long)p - 1 : -1;
}
