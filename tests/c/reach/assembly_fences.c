//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory tso -D NONE
//@ expect: violated witness.kind=assertion
//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory rc11 -D NONE
//@ expect: violated witness.kind=assertion
// Store buffering: mfence is a fence, a barrier for the compiler is none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef NONE
#define fence() __asm__ volatile("" ::: "memory")
#else
#define fence() __asm__ volatile("mfence" ::: "memory")
#endif

static atomic_int x, y;
static int r;

static void *thread(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    fence();
    r = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    fence();
    int s = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(t, 0);
    assert(r || s);
    return 0;
}
