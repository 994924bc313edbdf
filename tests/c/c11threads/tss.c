//@ run: verify --memory sc
//@ expect: holds
// Thread-specific storage: own value per thread, destructor at the end of a thread.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static atomic_int dropped;

static void drop(void *p) { dropped += *(int *)p; free(p); }

static int run(void *arg)
{
    assert(tss_get(key) == 0);
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)arg;
    assert(tss_set(key, mine) == thrd_success);
    assert(*(int *)tss_get(key) == *(int *)arg);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    int x = 1, y = 20;
    assert(tss_create(&key, drop) == thrd_success);
    thrd_create(&a, run, &x);
    thrd_create(&b, run, &y);
    thrd_join(a, 0);
    thrd_join(b, 0);
    assert(dropped == 21 && tss_get(key) == 0);
    tss_delete(key);
    return 0;
}
