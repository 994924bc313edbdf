//@ run: verify
//@ expect: holds
// One thread is joined, one detached itself, one was created detached.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *work(void *x) { n++; return x; }
static void *alone(void *x) { pthread_detach(pthread_self()); n++; return x; }

int main(void)
{
    pthread_t t, u, v;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, alone, 0);
    pthread_create(&v, &a, work, 0);
    pthread_join(t, 0);
    assert(n >= 1 && n <= 3);
    return 0;
}
