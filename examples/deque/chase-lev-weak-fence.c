//@ run: verify --memory rc11
//@ expect: violated witness.kind=assertion
//@ run: verify --memory tso
//@ expect: violated witness.kind=assertion
//@ run: verify --memory sc
//@ expect: holds
// Chase and Lev's deque with one wrong order: the fence in take is acquire-release, not seq_cst. The
// owner lowers bottom and reads top while the thief has read top and reads bottom; without a full fence
// each can miss what the other did, and both get the same element. Even tso allows this: it is store
// buffering. See chase-lev.c.
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
    atomic_thread_fence(memory_order_acq_rel); /* BUG */
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
