//@ run: verify --memory sc
//@ expect: holds
// A thread that creates and joins threads of its own.
#include <assert.h>
#include <pthread.h>

static int leaf_sum[2];

static void *leaf(void *arg) { int *slot = arg; *slot += 5; return 0; }

static void *branch(void *arg)
{
    (void)arg;
    pthread_t a, b;
    pthread_create(&a, 0, leaf, &leaf_sum[0]);
    pthread_create(&b, 0, leaf, &leaf_sum[1]);
    pthread_join(b, 0);
    pthread_join(a, 0);
    leaf_sum[0] += leaf_sum[1];
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, branch, 0);
    pthread_join(t, 0);
    assert(leaf_sum[0] == 10);
    return 0;
}
