//@ from: sysprog21/concurrent-programs e04b9c3654043276f523a50b9f29fd7d135d5809
//@ run: verify -I @sysprog21/concurrent-programs/channel -DCAP=1 --time-limit 60s
//@ expect: violated
//@ run: verify -I @sysprog21/concurrent-programs/channel -DCAP=0 --time-limit 60s
//@ expect: violated
//@ run: verify -I @sysprog21/concurrent-programs/channel -DCAP=1 --memory tso --time-limit 60s
//@ expect: holds
//@ run: verify -I @sysprog21/concurrent-programs/channel -DCAP=0 --memory tso --time-limit 60s
//@ expect: holds
/* channel of sysprog21/concurrent-programs (futex), one message; CAP 0 is unbuffered. */
#define main channel_main
#include "channel.c"
#undef main
static struct chan *c;
static void *send_one(void *arg) { chan_send(c, arg); return 0; }
int main(void)
{
    pthread_t t;
    void *p = 0;
    c = chan_make(CAP, malloc);
    pthread_create(&t, 0, send_one, (void *)1);
    chan_recv(c, &p);
    assert(p == (void *)1);
    pthread_join(t, 0);
    return 0;
}
