//@ run: verify --memory sc
//@ expect: holds
// assume drops the executions in which its argument is false.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int x;

static void *run(void *a) { (void)a; x = 1; x = 2; return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int seen = x;
    __VERIFIER_assume(seen == 2);
    assert(x == 2);
    pthread_join(t, 0);
    return 0;
}
