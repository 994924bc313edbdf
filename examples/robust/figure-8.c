//@ run: robust
//@ expect: violated witness.kind=order
//@ run: robust -D SEEN=acquire
//@ expect: holds
// An update that follows a store, and a store of somebody who has seen what came after the update. The paper
// has this as a false alarm, since the update leaves no room between the first store and itself; but
// the last store may come before both. If it is seen with acquire (and told with release), it may not.
// From: Nagar et al., OOPSLA 2024, Figure 8.
#include "modes.h"
#include <pthread.h>

#ifndef SEEN
#define SEEN relaxed
#endif

static atomic_int x, y;

static void *updates(void *unused)
{
    int one = 1;
    while (!atomic_compare_exchange_strong_explicit(&x, &one, 2, memory_order_relaxed, memory_order_relaxed))
        one = 1;
    STORE(y, 1, release);
    return unused;
}

static void *stores(void *unused)
{
    while (!LOAD(y, SEEN))
        ;
    STORE(x, 3, relaxed);
    return unused;
}

int main(void)
{
    pthread_t u, s;
    pthread_create(&u, 0, updates, 0);
    pthread_create(&s, 0, stores, 0);
    STORE(x, 1, relaxed);
    pthread_join(u, 0);
    pthread_join(s, 0);
}
