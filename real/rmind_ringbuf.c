//@ from: rmind/ringbuf 245a4716aceb62142b949387a04c9ba5ebc21931
//@ run: verify -I @rmind/ringbuf/src --time-limit 60s
//@ expect: violated
//@ run: verify -I @rmind/ringbuf/src --races ignore --memory tso --time-limit 60s
//@ expect: holds
/* rmind/ringbuf: two producers, one consumer; what is consumed was produced. */
#include "ringbuf.c"
#include <assert.h>
#include <pthread.h>
static ringbuf_t *r;
static unsigned char buffer[8];
static void produce(int me, int c)
{
    ringbuf_worker_t *w = ringbuf_register(r, me);
    ssize_t at = ringbuf_acquire(r, w, 1);
    if (at >= 0) {
        buffer[at] = (unsigned char)c;
        ringbuf_produce(r, w);
    }
    ringbuf_unregister(r, w);
}
static void *thread(void *arg) { (void)arg; produce(1, 2); return 0; }
int main(void)
{
    pthread_t t;
    size_t at, size;
    ringbuf_get_sizes(2, &size, NULL);
    r = malloc(size);
    ringbuf_setup(r, 2, sizeof buffer);
    pthread_create(&t, 0, thread, 0);
    produce(0, 1);
    size_t n = ringbuf_consume(r, &at);
    for (size_t i = 0; i < n; i++) assert(buffer[at + i] == 1 || buffer[at + i] == 2);
    if (n) ringbuf_release(r, n);
    pthread_join(t, 0);
    return 0;
}
