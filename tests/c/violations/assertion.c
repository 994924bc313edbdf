//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
// A lost update that one interleaving shows.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *run(void *a)
{
    (void)a;
    int seen = n;        /* load and store are atomic, the increment is not */
    n = seen + 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
