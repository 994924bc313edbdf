//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// The loop before thrd_exit does not make the local forgotten.
#include <stdatomic.h>
#include <threads.h>

static _Atomic(int *) p;
static atomic_int go;

static int work(void *a)
{
    int x = 1;
    (void)a;
    p = &x;
    while (!go)
        ;
    thrd_exit(0);
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, work, 0);
    go = 1;
    thrd_join(t, 0);
    return p ? *p : 0;
}
