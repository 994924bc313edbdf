//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// A thread-local variable ends with its thread, also when that calls pthread_exit.
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int mine;
static _Atomic(int *) p;

static void *work(void *a)
{
    (void)a;
    mine = 4;
    p = &mine;
    pthread_exit(0);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return *p;
}
