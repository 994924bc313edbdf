//@ run: verify --memory sc
//@ expect: holds
// pthread_once: one call, complete before anyone returns.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls, value;

static void init(void) { calls++; value = 12; }

static void *run(void *arg)
{
    (void)arg;
    pthread_once(&once, init);
    assert(calls == 1 && value == 12);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_once(&once, init);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(calls == 1);
    return 0;
}
