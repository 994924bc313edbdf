//@ run: verify --memory rc11 --observe a,b
//@ expect: holds outcomes={a=0 b=1; a=1 b=0; a=1 b=1}
//@ run: verify --memory tso --observe a,b
//@ expect: holds outcomes={a=0 b=1; a=1 b=0; a=1 b=1}
//@ run: verify --memory rc11 --observe a,b -DLOCK
//@ expect: holds outcomes={a=0 b=0; a=0 b=1; a=1 b=0; a=1 b=1}
// Nothing moves across `__sync_or_and_fetch`; `__sync_lock_test_and_set` only acquires.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int p, q, a, b;

#ifdef LOCK
#define BARRIER(word) __sync_lock_test_and_set(&word, 1)
#else
#define BARRIER(word) __sync_or_and_fetch(&word, 1)
#endif

static void *left(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    BARRIER(p);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

static void *right(void *arg)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    BARRIER(q);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, left, 0);
    pthread_create(&u, 0, right, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
