//@ from: sysprog21/concurrent-programs e04b9c3654043276f523a50b9f29fd7d135d5809
//@ run: verify -I @sysprog21/concurrent-programs/mcslock --time-limit 60s
//@ expect: holds
/* mcslock of sysprog21/concurrent-programs. */
#include "mcslock.c"
#include <assert.h>
#include <pthread.h>
static mcslock_t l;
static int shared;
static void *thread(void *arg)
{
    mcsnode_t n;
    (void)arg;
    mcslock_acquire(&l, &n);
    shared++;
    mcslock_release(&l, &n);
    return 0;
}
int main(void)
{
    pthread_t t;
    mcslock_init(&l);
    pthread_create(&t, 0, thread, 0);
    thread(0);
    pthread_join(t, 0);
    assert(shared == 2);
    return 0;
}
