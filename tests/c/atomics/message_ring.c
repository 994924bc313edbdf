//@ run: verify --memory sc
//@ expect: holds
// A token travels around three threads; each adds its own digit in order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int log_;

static void *run(void *arg)
{
    int me = (int)(long)arg;
    while (atomic_load_explicit(&turn, memory_order_acquire) != me)
        ;
    log_ = log_ * 10 + me + 1;
    atomic_store_explicit(&turn, me + 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run, (void *)(2 - i));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(log_ == 123);
    return 0;
}
