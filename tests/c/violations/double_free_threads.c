//@ run: verify --memory sc
//@ expect: violated witness.kind=double-free
// Two owners both believe they are the last: the count is read after it was decremented.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int refs = 2;
static void *block;

static void *drop(void *x)
{
    (void)x;
    refs--;
    if (refs == 0)
        free(block);
    return 0;
}

int main(void)
{
    pthread_t t;
    block = malloc(4);
    pthread_create(&t, 0, drop, 0);
    drop(0);
    pthread_join(t, 0);
    return 0;
}
