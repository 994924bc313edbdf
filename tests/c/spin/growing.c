//@ run: verify
//@ expect: violated witness.kind=assertion
//@ run: verify -D SAFE --time-limit 2s
//@ expect: unknown limit.kind=time
//@ run: verify --unroll growing.c:19=2
//@ expect: holds scope.bounds[0].value=2
//@ run: verify --unroll 9 --unroll growing.c:19=2 -D SAFE
//@ expect: holds scope.bounds[0].value=2
// A loop that changes something each time is followed as far as time allows.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint n, stop;

static void *thread(void *unused)
{
    (void)unused;
    while (!atomic_load(&stop))
    {
        atomic_fetch_add(&n, 2);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
#ifdef SAFE
    assert(atomic_load(&n) % 2 == 0);
#else
    assert(atomic_load(&n) != 10);
#endif
    atomic_store(&stop, 1);
    pthread_join(t, 0);
    return 0;
}
