//@ run: verify
//@ expect: violated witness.kind=out-of-bounds
//@ run: verify -DLARGER_LATER
//@ expect: violated witness.kind=out-of-bounds
//@ run: verify -DENOUGH
//@ expect: holds
// One block under one name, of two sizes: how a thread goes on does not follow from what it has read alone.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int wanted;
static _Atomic(int *) shared;

#ifdef ENOUGH
#define LEAST 2
#else
#define LEAST 1
#endif

static void *maker(void *_) {
#ifdef LARGER_LATER
    int count = atomic_load_explicit(&wanted, memory_order_relaxed) ? 2 : LEAST;
#else
    int count = atomic_load_explicit(&wanted, memory_order_relaxed) ? LEAST : 2;
#endif
    int *block = calloc(count, sizeof(int));
    atomic_store_explicit(&shared, block, memory_order_release);
    return 0;
}

static void *user(void *_) {
    int *block = atomic_load_explicit(&shared, memory_order_acquire);
    if (block)
        block[1]++;
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, maker, 0);
    pthread_create(&t[1], 0, user, 0);
    atomic_store_explicit(&wanted, 1, memory_order_relaxed);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    free(atomic_load(&shared));
    return 0;
}
