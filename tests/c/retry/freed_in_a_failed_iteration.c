//@ run: verify -DFIRST=reader -DSECOND=owner
//@ expect: violated witness.kind=use-after-free
//@ run: verify -DFIRST=owner -DSECOND=reader
//@ expect: violated witness.kind=use-after-free
//@ run: verify -DFIRST=owner -DSECOND=reader --jobs 2
//@ expect: violated witness.kind=use-after-free
//@ run: verify -DFIRST=reader -DSECOND=owner --no-reduction iterations
//@ expect: violated witness.kind=use-after-free
// The reader looks into a block, finds that the version has moved on, and tries again. The owner
// frees the block in between.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
    atomic_int value;
};

static _Atomic(struct box *) shared;
static atomic_int version;

static void *reader(void *arg)
{
    for (;;) {
        int before = atomic_load_explicit(&version, memory_order_acquire);
        struct box *box = atomic_load_explicit(&shared, memory_order_acquire);
        if (!box)
            return arg;
        int value = atomic_load_explicit(&box->value, memory_order_relaxed);
        if (before == 1 && value == 0)
            return arg;
        if (before == 2)
            return arg;
    }
}

static void *owner(void *arg)
{
    atomic_store_explicit(&version, 2, memory_order_release);
    struct box *old = atomic_exchange_explicit(&shared, 0, memory_order_acq_rel);
    free(old);
    return arg;
}

#ifndef FIRST
#define FIRST reader
#define SECOND owner
#endif

int main(void)
{
    pthread_t a, b;
    struct box *box = malloc(sizeof *box);
    if (!box)
        return 0;
    atomic_init(&box->value, 0);
    atomic_init(&shared, box);
    pthread_create(&a, 0, FIRST, 0);
    pthread_create(&b, 0, SECOND, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
