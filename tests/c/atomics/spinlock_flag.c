//@ run: verify --memory sc
//@ expect: holds
// A spin lock made of an atomic_flag protects plain data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int shared;

static void *run(void *a)
{
    (void)a;
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
    int seen = shared;
    shared = seen + 1;
    assert(shared == seen + 1);
    atomic_flag_clear_explicit(&busy, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(shared == 2);
    return 0;
}
