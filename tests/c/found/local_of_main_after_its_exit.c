//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
//@ run: verify --memory sc -DRETURNS
//@ expect: holds
// When main ends by pthread_exit its locals end and the other threads go on; when it returns,
// they end with it.
#include <pthread.h>

static void *work(void *a)
{
    return (void *)(long)*(int *)a;
}

int main(void)
{
    int x = 1;
    pthread_t t;
    pthread_create(&t, 0, work, &x);
#ifdef RETURNS
    return 0;
#endif
    pthread_exit(0);
}
