//@ run: verify
//@ expect: violated witness.kind=lock-misuse
// Two threads join a third.
#include <pthread.h>

static pthread_t t;

static void *work(void *x) { return x; }
static void *waits(void *x) { pthread_join(t, 0); return x; }

int main(void)
{
    pthread_t u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, waits, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
