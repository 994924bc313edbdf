//@ run: verify --memory sc
//@ expect: holds
// pthread_exit leaves from the depth of a call and carries a value.
#include <assert.h>
#include <pthread.h>

static void deep(int n)
{
    if (n == 0)
        pthread_exit((void *)77L);
    deep(n - 1);
    assert(0);
}

static void *run(void *arg)
{
    (void)arg;
    deep(3);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *r;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, &r);
    assert((long)r == 77);
    return 0;
}
