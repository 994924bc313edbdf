// Treiber's stack, nodes from an array, a counter in the top.
//
// What it is. The stack of treiber-heap.c, but `top` is one word: the index of a node and a
// counter that grows with every change, so that a swap fails even if the same node has come back
// in between. Popped nodes are used again: each thread keeps a list of its own.
// From: Treiber, 1986; the counter is IBM's, System/370 Principles of Operation.
//
// Linearization points. The swap of `top`; for a pop that finds nothing, the read of `top`.
//
// Why these access modes are enough. As in treiber-heap.c; and since a word with its counter
// occurs once, a swap reads the very write that the acquiring read of `top` saw. So every push
// has acquired from all swaps before it: unlike the stack without counters, this one has level RI.
// `value` is atomic, because a pop may read it while the node's next owner overwrites it; relaxed
// is enough, since such a pop fails in its swap. A free list belongs to one thread, plain memory.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 4
//@ expect: holds
//@ run: check --level RI --calls 4
//@ expect: holds
//
// Threads are told apart by their number, so clients in which one thread makes several calls are
// looked at, too: nodes come back there. Which number a thread has makes no difference.
#include <stdatomic.h>
#include <stdint.h>

#pragma lineal object stack level=R args=independent
#pragma lineal init stack_init(&stack)
#pragma lineal threads alike
#pragma lineal op push = stack_push(&stack, thread, value)
#pragma lineal op pop = stack_pop(&stack, thread) -> value, empty if result == 0

enum { THREADS = 10, PER_THREAD = 2, NODES = 1 + THREADS * PER_THREAD };

/* Counter in the upper half, index in the lower; index 0 is no node. */
typedef uint64_t link;

static uint32_t index_of(link l)
{
    return (uint32_t)l;
}

static link next_link(uint32_t index, link old)
{
    return ((old >> 32) + 1) << 32 | index;
}

struct node {
    _Atomic int value;
    _Atomic uint32_t next;
};

struct stack {
    _Atomic link top;
    struct node node[NODES];
    /* Of each thread: nodes it has given back, and how many of its own it never used. */
    uint32_t returned[THREADS][NODES];
    int returns[THREADS];
    int used[THREADS];
};

struct stack stack;

void stack_init(struct stack *s)
{
    atomic_store_explicit(&s->top, 0, memory_order_relaxed);
}

/* 0 when the thread has none left. */
static uint32_t take_node(struct stack *s, int thread)
{
    if (s->returns[thread] > 0)
        return s->returned[thread][--s->returns[thread]];
    if (s->used[thread] == PER_THREAD)
        return 0;
    return 1 + (uint32_t)(thread * PER_THREAD + s->used[thread]++);
}

static void give_back(struct stack *s, int thread, uint32_t index)
{
    s->returned[thread][s->returns[thread]++] = index;
}

static int swing(struct stack *s, link from, uint32_t to)
{
    return atomic_compare_exchange_strong_explicit(&s->top, &from, next_link(to, from), memory_order_release,
                                                   memory_order_relaxed);
}

/* Any value but 0. */
void stack_push(struct stack *s, int thread, int value)
{
    uint32_t mine;
    do {
        mine = take_node(s, thread);
    } while (mine == 0); /* out of nodes: wait, for ever unless this thread pops */
    atomic_store_explicit(&s->node[mine].value, value, memory_order_relaxed);
    link t;
    do {
        t = atomic_load_explicit(&s->top, memory_order_acquire);
        atomic_store_explicit(&s->node[mine].next, index_of(t), memory_order_relaxed);
    } while (!swing(s, t, mine));
}

/* 0 when the stack is empty. */
int stack_pop(struct stack *s, int thread)
{
    link t;
    do {
        t = atomic_load_explicit(&s->top, memory_order_acquire);
        if (index_of(t) == 0)
            return 0;
    } while (!swing(s, t, atomic_load_explicit(&s->node[index_of(t)].next, memory_order_relaxed)));
    int value = atomic_load_explicit(&s->node[index_of(t)].value, memory_order_relaxed);
    give_back(s, thread, index_of(t));
    return value;
}
