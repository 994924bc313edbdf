//@ run: verify
//@ expect: holds stats.executions=2
// Atomic objects of floating type are read, written, exchanged and compared bit by bit.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic double x;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store(&x, 0.5);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    double seen = 0;
    _Bool swapped = atomic_compare_exchange_strong(&x, &seen, 0.25);
    assert(swapped ? seen == 0 : seen == 0.5);
    pthread_join(t, 0);
    double last = atomic_load(&x);
    assert(last == 0.5);
    assert(atomic_exchange(&x, -0.0) == 0.5);
    double zero = 0.0;
    assert(!atomic_compare_exchange_strong(&x, &zero, 1.0));
    return 0;
}
