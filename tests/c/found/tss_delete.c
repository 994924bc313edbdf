//@ run: verify --memory sc
//@ expect: holds
// No destructor runs for a key that was deleted.
#include <assert.h>
#include <threads.h>

static tss_t key;
static int dropped;

static void drop(void *p) { (void)p; dropped++; }

static int work(void *a)
{
    (void)a;
    tss_set(key, &dropped);
    tss_delete(key);
    return 0;
}

int main(void)
{
    thrd_t t;
    tss_create(&key, drop);
    thrd_create(&t, work, 0);
    thrd_join(t, 0);
    assert(dropped == 0);
    return 0;
}
