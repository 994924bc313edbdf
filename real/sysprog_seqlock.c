//@ from: sysprog21/concurrent-programs e04b9c3654043276f523a50b9f29fd7d135d5809
//@ run: verify -I @sysprog21/concurrent-programs/seqlock --time-limit 60s
//@ expect: holds
/* seqlock of sysprog21/concurrent-programs. */
#include "seqlock.c"
#include <assert.h>
#include <pthread.h>
static seqlock_t l;
static int data[2];
static void *reader(void *arg)
{
    int seen[2];
    (void)arg;
    seqlock_read(&l, seen, data, sizeof seen);
    assert(seen[0] == seen[1]);
    return 0;
}
int main(void)
{
    pthread_t t;
    int both[2] = { 1, 1 };
    seqlock_init(&l);
    pthread_create(&t, 0, reader, 0);
    seqlock_write(&l, both, data, sizeof both);
    pthread_join(t, 0);
    return 0;
}
