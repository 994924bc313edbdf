//@ run: verify
//@ expect: violated  witness.hints[0]="making the store of first and flag at hint_of_helper.c:7 release makes every execution safe"
// Both stores are made in one function: a hint about it names both variables.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static void set(atomic_int *p) { atomic_store_explicit(p, 1, memory_order_relaxed); }
static atomic_int first, flag;
static void *writer(void *arg)
{
    set(&first);
    set(&flag);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(atomic_load_explicit(&first, memory_order_relaxed) == 1);
    pthread_join(t, 0);
    return 0;
}
