//@ run: verify --memory sc
//@ expect: holds
//@ run: verify --memory tso
//@ expect: holds
//@ run: verify --memory ra
//@ expect: violated witness.kind=assertion
//@ run: verify --memory rc11
//@ expect: holds
// Chase and Lev's work-stealing deque (2005), with the C11 orders of Lê, Pop, Cohen and
// Zappa Nardelli (2013), on an array that does not grow.
//
// Its owner pushes and takes at the bottom; thieves steal from the top. They meet only when one
// element is left, and then a compare-and-swap on top decides who gets it.
//
// Memory orders. push releases the element by its fence before it moves bottom; steal acquires it
// by reading bottom. take first lowers bottom and then reads top, steal reads top and then bottom:
// this is store buffering, so both need a seq_cst fence between the two accesses, and the
// swaps on top are seq_cst too. The cells are atomic (relaxed) because a thief may read a cell
// that the owner is about to overwrite; it then fails to move top and forgets what it read.
//
// These are the published orders. Found necessary with this client: the three fences, and the
// acquire on bottom in steal. The rest also passes relaxed here: the swaps, since the fences
// already order them, and the acquires on top, because rc11 lets no load wait for a later store,
// which is what they guard against on machines that do. Under ra, where a seq_cst fence is only
// acquire and release, the owner and a thief can both get the last element.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 4, EMPTY = 0, LOST = -1 };

static atomic_int top, bottom;
static atomic_int cell[SIZE];

static void push(int value) /* owner only */
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    int t = atomic_load_explicit(&top, memory_order_acquire);
    assert(b - t < SIZE);
    atomic_store_explicit(&cell[b % SIZE], value, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) /* owner only */
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t > b) { /* empty: undo */
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
        return EMPTY;
    }
    int value = atomic_load_explicit(&cell[b % SIZE], memory_order_relaxed);
    if (t == b) { /* the last element: a thief may be after it */
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
            value = EMPTY;
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
    return value;
}

static int steal(void) /* anyone */
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return EMPTY;
    int value = atomic_load_explicit(&cell[t % SIZE], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        return LOST;
    return value;
}

/* The client: the owner pushes 1 and 2 and takes twice; a thief tries twice. */
static int stolen[2], taken[2];

static void *thief(void *arg)
{
    (void)arg;
    stolen[0] = steal();
    stolen[1] = steal();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thief, 0);
    push(1);
    push(2);
    taken[0] = take();
    taken[1] = take();
    pthread_join(t, 0);

    /* Each element went to exactly one of them. */
    int times[3] = { 0, 0, 0 };
    for (int i = 0; i < 2; i++) {
        if (stolen[i] > 0)
            times[stolen[i]]++;
        if (taken[i] > 0)
            times[taken[i]]++;
    }
    assert(times[1] == 1 && times[2] == 1);
    /* Stealing goes from the old end: if the thief got both, 1 came first. */
    assert(!(stolen[0] == 2 && stolen[1] == 1));
    return 0;
}
