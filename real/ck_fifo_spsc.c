//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: check --calls 4 -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --races ignore --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --races ignore --memory tso --time-limit 60s
//@ expect: holds
//@ run: check --calls 4 -I @concurrencykit/ck/include --volatile relaxed --time-limit 60s
//@ expect: holds
/* Concurrency Kit's linked queue, one producer and one consumer. */
#include <ck_fifo.h>
#include <stdlib.h>

static ck_fifo_spsc_t fifo;

#pragma lineal object queue args=independent
#pragma lineal init ck_fifo_spsc_init(&fifo, malloc(sizeof(ck_fifo_spsc_entry_t)))
#pragma lineal op enqueue = put(value)
#pragma lineal op dequeue = get() -> value, empty if result == -1
#pragma lineal role producer: enqueue max=1
#pragma lineal role consumer: dequeue max=1

static void put(long value) { ck_fifo_spsc_enqueue(&fifo, malloc(sizeof(ck_fifo_spsc_entry_t)), (void *)(value + 1)); }
static long get(void)
{
    void *p;
    return ck_fifo_spsc_dequeue(&fifo, &p) ? (long)p - 1 : -1;
}
