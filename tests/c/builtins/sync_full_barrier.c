//@ run: verify --memory rc11
//@ expect: holds stats.executions=2
//@ run: verify --memory ra
//@ expect: holds stats.executions=2
//@ run: verify --memory rc11 -DATOMIC
//@ expect: violated witness.kind=assertion
//@ run: verify --memory rc11 -DFAILS
//@ expect: holds stats.executions=2
//@ run: verify --memory rc11 -DFAILS -DVALUE
//@ expect: holds stats.executions=2
// `__sync_*` builtins are full barriers, also for what comes later and when a compare-and-swap
// fails; a seq_cst read-modify-write is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static int word = 7;

static void *writer(void *arg)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
#if defined ATOMIC
    __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
#elif defined FAILS && defined VALUE
    __sync_val_compare_and_swap(&word, 1, 2);
#elif defined FAILS
    __sync_bool_compare_and_swap(&word, 1, 2);
#else
    __sync_fetch_and_add(&word, 1);
#endif
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    pthread_join(t, 0);
    return 0;
}
