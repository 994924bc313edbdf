// Michael's list, new nodes published by an acquire swap: wrong.
//
// What it is. michael-list.c, except that the swap which links a new node acquires and does not
// release.
// From: the list of libcds, as Golovin, Kokologiannakis and Vafeiadis found it (POPL 2025, section
// 6.3).
//
// What goes wrong. Another thread may follow the new link without having seen the node filled: its
// read of the key races with the write, and may find nothing there. Two calls are enough, in two threads:
//     insert 1   ||   insert 2
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 1
//@ expect: holds
//@ run: check --level R --calls 2
//@ expect: violated witness.kind=unsafe
//@ run: check --repair --level R --calls 3
//@ expect: violated holds  results[1].rewrite.changes.len=1  results[1].rewrite.minimal=true  results[1].rewrite.verified=true
//@ note: unsafe: a race on the key
//@ run: check --level R --calls 4 --memory sc
//@ expect: holds
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
    _Atomic uintptr_t next; /* a node's address or 0, plus MARK when *this* node is removed */
};

struct set {
    _Atomic uintptr_t head; /* a link like the others */
};

struct set set;

void set_init(struct set *s)
{
    atomic_store_explicit(&s->head, 0, memory_order_relaxed);
}

static struct node *node_of(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)MARK);
}

static uintptr_t load(_Atomic uintptr_t *link)
{
    return atomic_load_explicit(link, memory_order_acquire);
}

static int swap(_Atomic uintptr_t *link, uintptr_t from, uintptr_t to)
{
    return atomic_compare_exchange_strong_explicit(link, &from, to, memory_order_acq_rel, memory_order_acquire);
}

/* Publishes a new node. */
static int publish(_Atomic uintptr_t *link, uintptr_t from, struct node *n)
{
    return atomic_compare_exchange_strong_explicit(link, &from, (uintptr_t)n, memory_order_acquire, /* BUG */
                                                   memory_order_acquire);
}

struct place {
    _Atomic uintptr_t *link; /* what points at `node` */
    struct node *node;       /* the first one with that key or a greater one, or null */
    uintptr_t next;          /* its link */
};

/* Whether the key is there; and where, or where it would be. */
static int find(struct set *s, int key, struct place *at)
{
again:
    at->link = &s->head;
    at->node = node_of(load(at->link));
    while (at->node != NULL) {
        at->next = load(&at->node->next);
        int k = at->node->key;
        if (load(at->link) != (uintptr_t)at->node)
            goto again; /* inserted before it, or its predecessor was removed */
        if (!(at->next & MARK)) {
            if (k >= key)
                return k == key;
            at->link = &at->node->next;
        } else if (!swap(at->link, (uintptr_t)at->node, at->next & ~(uintptr_t)MARK)) {
            goto again;
        }
        at->node = node_of(at->next);
    }
    return 0;
}

/* Whether the key was absent. */
int set_insert(struct set *s, int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    for (;;) {
        struct place at;
        if (find(s, key, &at))
            return 0;
        atomic_store_explicit(&n->next, (uintptr_t)at.node, memory_order_relaxed);
        if (publish(at.link, (uintptr_t)at.node, n))
            return 1;
    }
}

/* Whether the key was present. */
int set_remove(struct set *s, int key)
{
    for (;;) {
        struct place at;
        if (!find(s, key, &at))
            return 0;
        if (!swap(&at.node->next, at.next, at.next | MARK))
            continue;
        if (!swap(at.link, (uintptr_t)at.node, at.next))
            find(s, key, &at); /* cuts it out, if nobody has */
        return 1;
    }
}
