//@ run: robust --calls 4
//@ expect: holds
// A spin lock: whatever its holders tell each other happens before.
#include "../modes.h"
struct spinlock { atomic_int taken; };
void acquire_lock(struct spinlock *l);
void release_lock(struct spinlock *l);

#pragma lineal object lock level=none
#pragma lineal op acquire = acquire_lock(&example)
#pragma lineal op release = release_lock(&example)

static struct spinlock example;

void acquire_lock(struct spinlock *l)
{
    int free = 0;
    while (!atomic_compare_exchange_strong_explicit(&l->taken, &free, 1, memory_order_acquire,
                                                    memory_order_relaxed))
        free = 0;
}

void release_lock(struct spinlock *l) { STORE(l->taken, 0, release); }
