//@ run: verify --memory sc
//@ expect: holds
// A thread works on the creator's stack while the creator waits.
#include <assert.h>
#include <pthread.h>

static void *sum(void *arg)
{
    int *a = arg;
    a[3] = a[0] + a[1] + a[2];
    return a + 3;
}

static int run(int x)
{
    int a[4] = { x, x + 1, x + 2, 0 };
    pthread_t t;
    void *where;
    pthread_create(&t, 0, sum, a);
    pthread_join(t, &where);
    return *(int *)where;
}

int main(void)
{
    assert(run(1) == 6);
    assert(run(10) == 33);
    return 0;
}
