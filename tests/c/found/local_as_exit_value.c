//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// The value of a thread that ends by pthread_exit is the address of a local of it.
#include <assert.h>
#include <pthread.h>

static void *work(void *a)
{
    int x = 1;
    (void)a;
    pthread_exit(&x);
}

int main(void)
{
    pthread_t t;
    void *r;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &r);
    assert(*(int *)r == 1);
    return 0;
}
