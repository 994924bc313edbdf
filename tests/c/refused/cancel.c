//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=12
// Thread cancellation.
#include <pthread.h>

static void *run(void *x) { return x; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
