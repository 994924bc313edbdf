//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
//@ run: verify --memory rc11
//@ expect: violated witness.kind=use-after-free
// pthread_exit in a function that was called ends the locals of its callers too.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) p;

static void leave(void)
{
    pthread_exit(0);
}

static void *work(void *a)
{
    int x = 1;
    (void)a;
    p = &x;
    leave();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    *p = 2;
    return 0;
}
