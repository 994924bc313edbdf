//@ run: verify --memory sc
//@ expect: holds
// cnd_init, wait, signal, broadcast, destroy.
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int stage;

static int run(void *arg)
{
    (void)arg;
    mtx_lock(&m);
    while (stage != 1)
        cnd_wait(&c, &m);
    stage = 2;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, run, 0);
    mtx_lock(&m);
    stage = 1;
    cnd_signal(&c);
    while (stage != 2)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(t, 0);
    assert(stage == 2);
    cnd_destroy(&c);
    mtx_destroy(&m);
    return 0;
}
