//@ run: verify --memory rc11 --liveness
//@ expect: violated witness.kind=liveness
// A loop that never ends may write to memory of its own, if it leaves it as it was.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int busy = 1;

static void *waits(void *arg)
{
    int *tries = malloc(sizeof *tries);
    *tries = 0;
    while (atomic_load(&busy)) {
        *tries = 1;
        *tries = 0;
    }
    free(tries);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waits, 0);
    pthread_join(t, 0);
    return 0;
}
