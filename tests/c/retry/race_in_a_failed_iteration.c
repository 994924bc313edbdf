//@ run: verify -DFIRST=visitor -DSECOND=closer
//@ expect: violated witness.kind=race
//@ run: verify -DFIRST=closer -DSECOND=visitor
//@ expect: violated witness.kind=race
//@ run: verify -DFIRST=visitor -DSECOND=closer --jobs 2
//@ expect: violated witness.kind=race
//@ run: verify -DFIRST=closer -DSECOND=visitor --no-reduction iterations
//@ expect: violated witness.kind=race
// The visitor reads the room of a stale door and then finds the door changed: that iteration
// fails, and leaves nothing behind. The read was made nevertheless, and the closer writes to the
// room without waiting for anyone.
#include <pthread.h>
#include <stdatomic.h>

struct room {
    int guests;
};

static struct room hall, annex;
static _Atomic(struct room *) door = &hall;

static void *visitor(void *arg)
{
    for (;;) {
        struct room *seen = atomic_load_explicit(&door, memory_order_acquire);
        if (!seen)
            return arg;
        int guests = seen->guests;
        struct room *wanted = guests < 0 ? &hall : &annex;
        if (atomic_compare_exchange_strong_explicit(&door, &seen, wanted, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return arg;
    }
}

static void *closer(void *arg)
{
    struct room *last = atomic_exchange_explicit(&door, 0, memory_order_acquire);
    if (last == &hall)
        last->guests = 3;
    return arg;
}

#ifndef FIRST
#define FIRST visitor
#define SECOND closer
#endif

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, FIRST, 0);
    pthread_create(&b, 0, SECOND, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
