//@ run: verify --memory rc11
//@ expect: holds diagnostics.len=1 diagnostics[0].severity=warning diagnostics[0].code=L0114
//@ run: verify --memory rc11 -DRELEASE
//@ expect: violated witness.kind=race
// A failed compare-and-swap only loads: of acq_rel it acquires, of release nothing is left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef RELEASE
#define FAILURE memory_order_release
#else
#define FAILURE memory_order_acq_rel
#endif

static atomic_int flag;
static int data;

static void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int expected = 5;
    atomic_compare_exchange_strong_explicit(&flag, &expected, 6, memory_order_relaxed, FAILURE);
    if (expected == 1)
        assert(data == 1);
    pthread_join(t, 0);
    return 0;
}
