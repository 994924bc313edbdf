//@ run: verify --memory sc --unroll 3
//@ expect: violated witness.kind=assertion
// The address of a local leaves its thread in two halves; the loop that writes it is not private.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union { atomic_int *p; uint32_t half[2]; } shared;
static atomic_int ready, stop;

static void *work(void *a)
{
    (void)a;
    atomic_int local;
    atomic_init(&local, 0);
    shared.p = &local;
    atomic_store(&ready, 1);
    for (;;) {
        atomic_store(&local, 1);
        atomic_store(&local, 0);
        if (atomic_load(&stop))
            break;
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (atomic_load(&ready)) {
        atomic_int *q = shared.p;
        int a = atomic_load(q), b = atomic_load(q), c = atomic_load(q);
        assert(!(a == 1 && b == 0 && c == 1));
    }
    atomic_store(&stop, 1);
    pthread_join(t, 0);
    return 0;
}
