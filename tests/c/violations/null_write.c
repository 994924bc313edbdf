//@ run: verify --memory sc
//@ expect: violated witness.kind=null-pointer
// Writing through a null pointer that another thread should have set.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) p;
static int x;

static void *run(void *a) { (void)a; p = &x; return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    *p = 1;
    pthread_join(t, 0);
    return 0;
}
