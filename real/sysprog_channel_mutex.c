//@ from: sysprog21/concurrent-programs e04b9c3654043276f523a50b9f29fd7d135d5809
//@ run: verify -I @sysprog21/concurrent-programs/channel --time-limit 60s
//@ expect: violated
//@ run: verify -I @sysprog21/concurrent-programs/channel --memory tso --time-limit 60s
//@ expect: holds
/* The mutex inside of channel of sysprog21/concurrent-programs (futex). */
#define main channel_main
#include "channel.c"
#undef main
static struct mutex m;
static int shared;
static void *thread(void *arg)
{
    mutex_lock(&m);
    shared++;
    mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;
    mutex_init(&m);
    pthread_create(&t, 0, thread, 0);
    thread(0);
    pthread_join(t, 0);
    assert(shared == 2);
    return 0;
}
