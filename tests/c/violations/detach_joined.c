//@ run: verify
//@ expect: violated witness.kind=lock-misuse
#include <threads.h>

static int work(void *x) { return x != 0; }

int main(void)
{
    thrd_t t;
    thrd_create(&t, work, 0);
    thrd_join(t, 0);
    thrd_detach(t);
    return 0;
}
