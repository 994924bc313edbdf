// The timestamped stack: right under sc, wrong under weaker memory.
//
// What it is. Each thread has a pool of its own, a list it alone adds to. A push puts its node
// there and then stamps it from a shared clock; until then its stamp counts as infinite. A pop
// looks through all pools for the untaken node with the greatest stamp and takes it.
// From: Dodds, Haas and Kirsch, "A Scalable, Correct Time-Stamped Stack", POPL 2015 (without its
// elimination, and with a counter for a clock).
//
// Linearization points. None that the code could name: two pushes with overlapping stamping are
// ordered by the pops that follow. A pop that finds nothing: between its two looks at the pools.
//
// Why these access modes. Everything is acquire, release or acquire-release, the strongest short
// of sc: pools and stamps are released and acquired, the clock and the taking of a node are
// acquire-release. That gives level R its synchronisation, but not its results: whether a pop
// sees a node in someone else's pool is a race between a store and a load with nothing to order
// them ("store buffering"):
//     push 1; pop -> 2   ||   push 2; push 3; pop -> 1
// 3 stays behind. If 1 was pushed before 3, the second pop had to return 3, not 1. If after, 2 and
// 3 lay below 1 when the first pop was called, and it had to return 1 or 3. But the first thread
// may see 2 still without its stamp, and the second one may see 1 still without its stamp: each
// then takes the other's node for the newest.
// No violation is possible when all accesses are sc.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 4
//@ expect: holds
//@ run: check --level R --calls 5
//@ expect: violated witness.kind=client
//@ run-full: check --level R --calls 5 --memory sc
//@ expect: holds
//@ run: robust --calls 4
//@ expect: violated witness.kind=order
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#pragma lineal object stack level=R args=independent
#pragma lineal init stack_init(&stack)
#pragma lineal op push = stack_push(&stack, thread, value)
#pragma lineal op pop = stack_pop(&stack) -> value, empty if result == 0

enum { THREADS = 6, UNSTAMPED = INT_MAX };

struct node {
    int value;
    struct node *next; /* older node of the same pool */
    _Atomic int stamp;
    _Atomic int taken;
};

struct stack {
    _Atomic int clock;
    _Atomic(struct node *) pool[THREADS];
};

struct stack stack;

/* All zero to begin with. */
void stack_init(struct stack *s)
{
    (void)s;
}

/* Any value but 0. */
void stack_push(struct stack *s, int thread, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    /* Only this thread stores here, so it reads its own last node. */
    n->next = atomic_load_explicit(&s->pool[thread], memory_order_relaxed);
    atomic_store_explicit(&n->stamp, UNSTAMPED, memory_order_relaxed);
    atomic_store_explicit(&n->taken, 0, memory_order_relaxed);
    atomic_store_explicit(&s->pool[thread], n, memory_order_release);
    int now = atomic_fetch_add_explicit(&s->clock, 1, memory_order_acq_rel);
    atomic_store_explicit(&n->stamp, now, memory_order_release);
}

/* 0 when the stack is empty. */
int stack_pop(struct stack *s)
{
    for (;;) {
        struct node *seen[THREADS];
        struct node *best = NULL;
        int best_stamp = -1;
        for (int i = 0; i < THREADS; i++) {
            struct node *n = seen[i] = atomic_load_explicit(&s->pool[i], memory_order_acquire);
            while (n != NULL && atomic_load_explicit(&n->taken, memory_order_acquire))
                n = n->next;
            if (n == NULL)
                continue;
            int stamp = atomic_load_explicit(&n->stamp, memory_order_acquire);
            if (stamp > best_stamp) {
                best = n;
                best_stamp = stamp;
            }
        }
        if (best != NULL) {
            int free = 0;
            if (atomic_compare_exchange_strong_explicit(&best->taken, &free, 1, memory_order_acq_rel,
                                                        memory_order_acquire))
                return best->value;
            continue;
        }
        int changed = 0;
        for (int i = 0; i < THREADS; i++)
            changed |= atomic_load_explicit(&s->pool[i], memory_order_acquire) != seen[i];
        if (!changed)
            return 0;
    }
}
