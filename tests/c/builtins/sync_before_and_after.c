//@ run: verify --memory rc11
//@ expect: holds
//@ run: verify --memory rc11 -DATOMIC
//@ expect: violated witness.kind=assertion
// What comes before a full barrier is ordered with what others see of the access itself: a write
// that follows it, a fence, and a read that misses what came before cannot be.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int y, a;

static void *left(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef ATOMIC
    a = __atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST);
    atomic_thread_fence(memory_order_seq_cst);
#else
    a = __sync_fetch_and_add(&y, 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, left, 0);
    __atomic_store_n(&y, 4, __ATOMIC_RELAXED);
    atomic_thread_fence(memory_order_seq_cst);
    int r = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(t, 0);
    assert(!(a == 0 && r == 0 && y == 4));
    return 0;
}
