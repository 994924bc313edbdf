//@ run: verify --memory sc
//@ expect: holds
// Two threads, two increments each: no increment is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *run(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++)
        n++;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 4);
    return 0;
}
