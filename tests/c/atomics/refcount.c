//@ run: verify --memory sc
//@ expect: holds
// The last owner to drop its reference frees the block.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct obj { atomic_int refs; int payload; };

static void drop(struct obj *o)
{
    if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) == 1)
        free(o);
}

static void *run(void *arg)
{
    struct obj *o = arg;
    assert(o->payload == 5);
    drop(o);
    return 0;
}

int main(void)
{
    struct obj *o = malloc(sizeof *o);
    atomic_init(&o->refs, 3);
    o->payload = 5;
    pthread_t a, b;
    pthread_create(&a, 0, run, o);
    pthread_create(&b, 0, run, o);
    drop(o);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
