//@ run: verify
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc --seed 1
//@ expect: violated witness.kind=assertion
//@ run: verify -DOTHER_WAY_ROUND --seed 2
//@ expect: violated witness.kind=assertion
//@ run: verify --no-reduction iterations
//@ expect: violated witness.kind=assertion
// The read before the loop took an old value, and what follows goes by it once the last one comes:
// such a thread must be woken by that last write, not dropped.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, ready;

void *reader(void *unused)
{
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    int before = 0;
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    while (a != 4) {
        int last = a;
        a = atomic_load_explicit(&x, memory_order_relaxed);
        if (a == 4)
            before = last;
    }
    assert(before != 1);
    return 0;
}

void *writer(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        atomic_store_explicit(&x, 4, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t a, b;
#ifdef OTHER_WAY_ROUND
    pthread_create(&b, 0, writer, 0);
    pthread_create(&a, 0, reader, 0);
#else
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
