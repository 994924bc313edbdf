//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
// A weak compare-and-swap that fails for no reason, after a write that depends on a read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y, z;
static int seen[2];

static void *work(void *a)
{
    (void)a;
    for (;;) {
        int v = y;
        seen[v] = 1;
        int free = 0;
        if (atomic_compare_exchange_weak(&z, &free, 1))
            break;
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    y = 1;
    pthread_join(t, 0);
    assert(seen[0] + seen[1] == 1);
    return 0;
}
