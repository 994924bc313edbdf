//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory rc11
//@ expect: holds
// Shared locals of several frames, ended and begun anew, are all in order until pthread_exit.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) p, q;
static atomic_int seen;

static void inner(int depth)
{
    int y = depth;
    q = &y;
    if (depth == 0)
        pthread_exit((void *)7);
    inner(depth - 1);
}

static void *work(void *a)
{
    (void)a;
    for (int i = 0; i < 2; i++) {
        int x = i;
        p = &x;
        assert(*p == i);
    }
    inner(1);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *r;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &r);
    seen = 1;
    assert(r == (void *)7);
    return 0;
}
