//@ run: verify --memory sc
//@ expect: holds
// main leaves by pthread_exit: the other thread still runs to its end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *run(void *arg)
{
    (void)arg;
    n++;
    assert(n == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_exit(0);
}
