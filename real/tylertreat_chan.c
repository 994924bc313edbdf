//@ from: tylertreat/chan b6cae887fdfce1f32eb52466ac3aac860c955d8e
//@ run: verify -I @tylertreat/chan/src -DCAPACITY=1 --time-limit 60s
//@ expect: holds
//@ run: verify -I @tylertreat/chan/src -DCAPACITY=0 --time-limit 60s
//@ expect: holds
/* tylertreat/chan: a buffered channel, two senders and a receiver. */
#include "chan.c"
#include "queue.c"
#include <assert.h>
static chan_t *c;
static void *sender(void *arg) { chan_send(c, arg); return 0; }
int main(void)
{
    pthread_t t;
    void *p;
    c = chan_init(CAPACITY);
    pthread_create(&t, 0, sender, (void *)1);
    chan_recv(c, &p);
    assert(p == (void *)1);
    pthread_join(t, 0);
    chan_dispose(c);
    return 0;
}
