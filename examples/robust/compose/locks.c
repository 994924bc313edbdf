//@ run: robust --libraries spinlock.c
//@ expect: holds
//@ run: robust --libraries spinlock.c -D TIMES=20 --max-states 3000
//@ expect: unknown
// Two locks, each with data of its own. Nothing but locks is used, so no fence is needed: what threads tell
// each other happens before. Where there is too much to explore, and the lock is called more often than it was asked
// about, nothing is claimed.
#include <pthread.h>
#include <stdatomic.h>
struct spinlock { atomic_int taken; };
void acquire_lock(struct spinlock *l);
void release_lock(struct spinlock *l);

static struct spinlock a, b;
static int x, y, seen[2];

#ifndef TIMES
#define TIMES 1
#endif

static void *other(void *unused)
{
    for (int i = 0; i < TIMES; i++) {
        acquire_lock(&a);
        x = 1;
        release_lock(&a);
        acquire_lock(&b);
        seen[0] = y;
        release_lock(&b);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    for (int i = 0; i < TIMES; i++) {
        acquire_lock(&b);
        y = 1;
        release_lock(&b);
        acquire_lock(&a);
        seen[1] = x;
        release_lock(&a);
    }
    pthread_join(t, 0);
}
