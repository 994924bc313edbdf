//@ run: verify --memory sc
//@ expect: violated
//@ run: verify -D NOT
//@ expect: violated
//@ run: verify -D NEG --memory tso
//@ expect: violated
//@ run: verify --memory ra --no-reduction iterations
//@ expect: violated
// The address of a thread's own memory is given away before the loop, as a number that no pointer looks like
// (an XOR of two addresses, a complement). What failing iterations write there others may read.
// From: a tester's programs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int x;
static _Atomic(uintptr_t) shared;

#ifdef NOT
#define HIDE(a) ~(a)
#elif defined(NEG)
#define HIDE(a) -(a)
#else
#define HIDE(a) ((a) ^ (uintptr_t)&x)
#endif

static void *waiter(void *unused)
{
    atomic_int *own = calloc(1, sizeof *own);
    atomic_store(&shared, HIDE((uintptr_t)own));
    int a;
    do {
        a = atomic_load(&x);
        atomic_store(own, a);
    } while (a != 2);
    return unused;
}

static void *reader(void *unused)
{
    uintptr_t word = atomic_load(&shared);
    if (word)
        assert(atomic_load((atomic_int *)HIDE(word)) != 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, waiter, 0);
    pthread_create(&t[1], 0, reader, 0);
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
