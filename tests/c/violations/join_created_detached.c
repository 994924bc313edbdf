//@ run: verify
//@ expect: violated witness.kind=lock-misuse
#include <pthread.h>

static void *work(void *x) { return x; }

int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &a, work, 0);
    pthread_join(t, 0);
    return 0;
}
