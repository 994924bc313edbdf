//@ run: verify --memory sc
//@ expect: holds
// One hazard pointer: the reader announces the block, looks again, and only then uses it; the
// writer frees a block only when nobody announces it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared, hazard;

static void *reader(void *x)
{
    (void)x;
    int *p;
    do {
        p = shared;
        hazard = p;
    } while (p != shared);
    assert(*p == 1 || *p == 2);
    hazard = NULL;
    return 0;
}

static void *writer(void *x)
{
    (void)x;
    int *new = malloc(sizeof *new);
    *new = 2;
    int *old = atomic_exchange(&shared, new);
    if (hazard != old)
        free(old);
    return 0;
}

int main(void)
{
    pthread_t r, w;
    int *first = malloc(sizeof *first);
    *first = 1;
    shared = first;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r, 0);
    pthread_join(w, 0);
    assert(*shared == 2);
    return 0;
}
