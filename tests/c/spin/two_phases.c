//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// One wait after the other, but the setter does not wait for the reader in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int phase;
static int data;

static void *waiter(void *arg)
{
    (void)arg;
    while (phase < 1)
        ;
    assert(data >= 7);
    while (phase != 2)
        ;
    assert(data == 8);
    return 0;
}

static void *setter(void *arg)
{
    (void)arg;
    data = 7;
    phase = 1;
    data = 8;
    phase = 2;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, setter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
