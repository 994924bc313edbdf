//@ run: verify --memory sc
//@ expect: holds stats.executions=3
//@ run: verify --memory sc -DONE
//@ expect: holds stats.executions=3
//@ run: verify --memory sc -DBEHIND
//@ expect: holds stats.executions=3
//@ run: verify --memory sc -DMIXED
//@ expect: unknown limit.kind=method
// A header and an array of wider atomics in one block: a flexible member, one of one element, or
// simply what lies behind the header. Only what an execution does is mixed-size.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct ring {
    atomic_int size;
#if defined ONE
    atomic_long slot[1];
#elif !defined BEHIND
    atomic_long slot[];
#endif
};

static struct ring *ring;

static atomic_long *slots(void)
{
#ifdef BEHIND
    return (atomic_long *)(ring + 2);
#else
    return ring->slot;
#endif
}

static void *writer(void *arg)
{
    atomic_store(&slots()[2], 5);
    atomic_store(&ring->size, 3);
    return arg;
}

int main(void)
{
    ring = malloc(sizeof *ring + 8 + 3 * sizeof(atomic_long));
    atomic_init(&ring->size, 0);
    for (int i = 0; i < 3; i++)
        atomic_init(&slots()[i], 0);
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load(&ring->size) == 3)
        assert(atomic_load(&slots()[2]) == 5);
    else
        (void)atomic_load(&slots()[2]);
#ifdef MIXED
    (void)atomic_load((atomic_int *)&slots()[2]);
#endif
    pthread_join(t, 0);
    free(ring);
    return 0;
}
