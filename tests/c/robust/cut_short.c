//@ run: robust --unroll 1
//@ expect: unknown limit.kind=loop
//@ run: robust
//@ expect: unknown limit.kind=method
//@ run: robust -D SHORTER
//@ expect: violated witness.kind=race
// Weak memory makes it race, and sequential consistency makes it fail too, in a later round of a loop:
// cut short before that, nothing is known.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SHORTER
enum { ROUNDS = 2 };
#else
enum { ROUNDS = 3 };
#endif

static atomic_int flag;
static int data;

static void *writer(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        assert(data == 1);
    for (int i = 0; i < ROUNDS; i++) {
        atomic_load_explicit(&flag, memory_order_relaxed);
        assert(i < 2);
    }
    pthread_join(t, 0);
}
