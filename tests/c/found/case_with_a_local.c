//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory rc11
//@ expect: holds
// Locals between case labels: each has its value where it is used, and a shared one lives.
#include <assert.h>
#include <pthread.h>

static void *add(void *a)
{
    ++*(int *)a;
    return 0;
}

static int run(int k)
{
    switch (k) {
    case 0:;
        int x = 5;
        pthread_t t;
        pthread_create(&t, 0, add, &x);
        pthread_join(t, 0);
        return x;
    case 1:
        x = 2;
        add(&x);
        return x;
    default:
        return 0;
    }
}

int main(void)
{
    assert(run(0) == 6);
    assert(run(1) == 3);
    assert(run(2) == 0);
    return 0;
}
