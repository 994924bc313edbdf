//@ run: verify
//@ expect: holds
//@ run: verify -D PUBLISH=memory_order_relaxed
//@ expect: violated witness.kind=race
//@ run: verify -D LOOK=memory_order_relaxed
//@ expect: violated witness.kind=race
//@ run: verify -D LOOK=memory_order_release
//@ expect: violated witness.kind=invalid-order
//@ run: verify -D PUBLISH=memory_order_acquire
//@ expect: violated witness.kind=invalid-order
//@ run: verify -D PUBLISH=7
//@ expect: violated witness.kind=invalid-order
// Orders that a parameter hands on count as what they are, and only those that the access can have.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif
#ifndef LOOK
#define LOOK memory_order_acquire
#endif

static int data;
static atomic_int flag;

static inline void put(atomic_int *at, int v, memory_order order) { atomic_store_explicit(at, v, order); }
static inline int get(atomic_int *at, memory_order order) { return __atomic_load_n((int *)at, order); }
static int swap(atomic_int *at, int old, int new, memory_order success, memory_order failure, _Bool weak)
{
    return __atomic_compare_exchange_n((int *)at, &old, new, weak, success, failure);
}
static void fence(memory_order order) { atomic_thread_fence(order); }

static void *thread(void *unused)
{
    (void)unused;
    data = 1;
    put(&flag, 1, PUBLISH);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    if (get(&flag, LOOK)) assert(data == 1);
    pthread_join(t, 0);
    fence(memory_order_seq_cst);
    fence(memory_order_relaxed);
    assert(swap(&flag, 1, 2, memory_order_acq_rel, memory_order_acquire, 0));
    assert(!swap(&flag, 1, 3, memory_order_relaxed, memory_order_relaxed, 0));
    return 0;
}
