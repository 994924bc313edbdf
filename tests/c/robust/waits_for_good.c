//@ run: robust --calls 3
//@ expect: holds
//@ run: robust --calls 3 -D UNLOCKED
//@ expect: violated witness.kind=order
// Two words behind a mutex that one of the operations keeps: who comes later waits for good, and such
// executions are not judged.
#include <pthread.h>
#include <stdatomic.h>

#pragma lineal object register level=none args=independent
#pragma lineal op write = put(value)
#pragma lineal op read = get() -> value

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int low, high;

void put(int value)
{
    pthread_mutex_lock(&lock);
    atomic_store_explicit(&low, value, memory_order_relaxed);
    atomic_store_explicit(&high, value, memory_order_relaxed);
}

int get(void)
{
#ifndef UNLOCKED
    pthread_mutex_lock(&lock);
#endif
    int found = atomic_load_explicit(&high, memory_order_relaxed);
    found += atomic_load_explicit(&low, memory_order_relaxed);
#ifndef UNLOCKED
    pthread_mutex_unlock(&lock);
#endif
    return found;
}
