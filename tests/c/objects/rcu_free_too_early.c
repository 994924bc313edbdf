//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// The same, but the writer frees the old version at once. It tells the reader by a flag, so that the
// reader's access comes after the free in every sense.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) current;
static atomic_int freed;
static int seen;

static void *reader(void *x)
{
    (void)x;
    int *c = current;
    if (freed)
        seen = *c;
    return 0;
}

int main(void)
{
    pthread_t r;
    int *old = malloc(sizeof *old), *new = malloc(sizeof *new);
    *old = 1;
    *new = 2;
    current = old;
    pthread_create(&r, 0, reader, 0);
    current = new;
    free(old);
    freed = 1;
    pthread_join(r, 0);
    return 0;
}
