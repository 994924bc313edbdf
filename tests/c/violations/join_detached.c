//@ run: verify
//@ expect: violated witness.kind=lock-misuse
#include <pthread.h>

static void *work(void *x) { return x; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
    pthread_join(t, 0);
    return 0;
}
