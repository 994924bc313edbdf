// Harris's list: right under sc, wrong under weaker memory.
//
// What it is. A sorted linked list without locks. The lowest bit of a node's `next` marks the node
// as removed (the swap that sets it also makes sure that nothing is inserted behind a removed
// node). A walk that meets marked nodes cuts the whole chain of them out with one swap.
// From: Harris, "A Pragmatic Implementation of Non-Blocking Linked-Lists", DISC 2001.
//
// Linearization points. Insert: the swap that links. Remove: the swap that marks. A call that
// fails: the reads of its last walk.
//
// Why these access modes. Reads of links acquire, swaps are acquire-release, the strongest short
// of sc. A node's contents are always seen: level R has its synchronisation. But a walk that finds
// nothing is ordered with no other operation, and two threads that work on different parts of the
// list swap different links ("store buffering"):
//     insert 1; remove 3 -> absent   ||   insert 2   ||   insert 3; remove 1 -> absent
// One of the two removes comes last, after both inserts, and should have found its key. Without
// 2 in between, both inserts would swap the same link, and the second would acquire the first.
// No violation is possible when all accesses are sc.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 4
//@ expect: holds
//@ run: check --level R --calls 4 --memory sc
//@ expect: holds
//@ run-full: check --level R --calls 5
//@ expect: violated witness.kind=client
//
// Nodes are never freed: a slower thread may still look at one.
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#pragma lineal object set level=R args=order
#pragma lineal init set_init(&set)
#pragma lineal op insert = set_insert(&set, key) -> result
#pragma lineal op remove = set_remove(&set, key) -> result

enum { MARK = 1 };

struct node {
    int key;
    _Atomic uintptr_t next; /* a node's address, plus MARK when *this* node is removed */
};

struct set {
    struct node *head; /* smaller than every key; the last node is greater */
};

struct set set;

static struct node *new_node(int key, uintptr_t next)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    atomic_store_explicit(&n->next, next, memory_order_relaxed);
    return n;
}

void set_init(struct set *s)
{
    s->head = new_node(INT_MIN, (uintptr_t)new_node(INT_MAX, 0));
}

static struct node *node_of(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)MARK);
}

static uintptr_t next_of(struct node *n)
{
    return atomic_load_explicit(&n->next, memory_order_acquire);
}

static int relink(struct node *n, uintptr_t from, uintptr_t to)
{
    return atomic_compare_exchange_strong_explicit(&n->next, &from, to, memory_order_acq_rel, memory_order_acquire);
}

/* The first unmarked node with that key or a greater one; `*before` is the unmarked node in front
   of it. What was marked in between is cut out. */
static struct node *find(struct set *s, int key, struct node **before)
{
    for (;;) {
        struct node *n = s->head;
        uintptr_t next = next_of(n);
        uintptr_t after = 0; /* the link of *before */
        while ((next & MARK) || n->key < key) {
            if (!(next & MARK)) {
                *before = n;
                after = next;
            }
            n = node_of(next);
            if (n->key == INT_MAX) /* the last node */
                break;
            next = next_of(n);
        }
        if (node_of(after) != n && !relink(*before, after, (uintptr_t)n))
            continue; /* someone changed the link meanwhile */
        if (n->key == INT_MAX || !(next_of(n) & MARK))
            return n;
    }
}

/* Whether the key was absent. Any key but INT_MIN and INT_MAX. */
int set_insert(struct set *s, int key)
{
    struct node *mine = NULL;
    for (;;) {
        struct node *before;
        struct node *n = find(s, key, &before);
        if (n->key == key)
            return 0;
        if (mine == NULL)
            mine = new_node(key, (uintptr_t)n);
        else
            atomic_store_explicit(&mine->next, (uintptr_t)n, memory_order_relaxed);
        if (relink(before, (uintptr_t)n, (uintptr_t)mine))
            return 1;
    }
}

/* Whether the key was present. */
int set_remove(struct set *s, int key)
{
    for (;;) {
        struct node *before;
        struct node *n = find(s, key, &before);
        if (n->key != key)
            return 0;
        uintptr_t next = next_of(n);
        if (!(next & MARK) && relink(n, next, next | MARK)) {
            if (!relink(before, (uintptr_t)n, next))
                find(s, key, &before); /* cuts it out, if nobody has */
            return 1;
        }
    }
}
