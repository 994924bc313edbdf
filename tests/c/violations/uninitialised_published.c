//@ run: verify --memory sc
//@ expect: violated witness.kind=uninitialised
// The node is published before its field is filled in; no race, for the field is atomic.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { atomic_int v; };
static _Atomic(struct node *) slot;

static void *writer(void *a)
{
    (void)a;
    struct node *n = malloc(sizeof *n);
    slot = n;
    n->v = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    struct node *n = slot;
    int r = n ? n->v : 0;
    pthread_join(t, 0);
    return r == 5;
}
