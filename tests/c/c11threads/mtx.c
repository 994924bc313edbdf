//@ run: verify --memory sc
//@ expect: holds
// mtx_init, lock, trylock, unlock, destroy; plain and recursive.
#include <assert.h>
#include <threads.h>

static mtx_t m, r;
static int n;

static int run(void *arg)
{
    (void)arg;
    mtx_lock(&m);
    n++;
    mtx_unlock(&m);
    return mtx_trylock(&r);
}

int main(void)
{
    thrd_t a, b;
    int ra, rb;
    assert(mtx_init(&m, mtx_plain) == thrd_success);
    assert(mtx_init(&r, mtx_plain | mtx_recursive) == thrd_success);
    mtx_lock(&r);
    mtx_lock(&r);
    thrd_create(&a, run, 0);
    thrd_create(&b, run, 0);
    thrd_join(a, &ra);
    thrd_join(b, &rb);
    assert(ra == thrd_busy && rb == thrd_busy && n == 2);
    mtx_unlock(&r);
    mtx_unlock(&r);
    assert(mtx_trylock(&r) == thrd_success);
    mtx_unlock(&r);
    mtx_destroy(&m);
    mtx_destroy(&r);
    return 0;
}
