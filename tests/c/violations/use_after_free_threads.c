//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// The reader loads the pointer, the owner takes it back and frees it, the reader uses it.
// All of it ordered by a second handshake, so that it is no race.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot;
static atomic_int freed;
static int out;

static void *reader(void *x)
{
    (void)x;
    int *p = atomic_load(&slot);
    if (p && atomic_load(&freed))
        out = *p;
    return 0;
}

int main(void)
{
    pthread_t t;
    int *p = malloc(sizeof *p);
    *p = 1;
    slot = p;
    pthread_create(&t, 0, reader, 0);
    p = atomic_exchange(&slot, NULL);
    free(p);
    freed = 1;
    pthread_join(t, 0);
    return 0;
}
