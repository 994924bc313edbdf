// The lazy list: right under sc, wrong under weaker memory.
//
// What it is. A sorted linked list with a lock in every node. All operations walk the list without
// locks. An insert locks the node before the gap, checks that the gap is still there, and links
// its node. A remove that finds nothing returns at once; otherwise it locks the node and the one
// before, checks, marks the node (from then on it is out of the set) and unlinks it.
// From: Heller, Herlihy, Luchangco, Moir, Scherer and Shavit, "A Lazy Concurrent List-Based Set
// Algorithm", OPODIS 2005; Herlihy and Shavit, The Art of Multiprocessor Programming, 2008. There,
// inserts lock both neighbours; this one locks the first only, which is enough under sc, as in the
// "lf-lazy-list" of Golovin, Kokologiannakis and Vafeiadis, POPL 2025, Example 6.2.
//
// Linearization points. Insert: the store that links. Remove: the store that marks. An insert that
// finds its key: the check under the lock. A remove that does not: the reads of its walk.
//
// Why these access modes. Links and marks are released and acquired, the strongest short of sc,
// and locks synchronise: the contents of nodes are always seen, so level R has its
// synchronisation. But a walk that finds nothing is ordered with no other operation. Two threads
// that work on different parts of the list lock different nodes, and each may overlook what the
// other did ("store buffering"):
//     insert 1; remove 3 -> absent   ||   insert 2   ||   insert 3; remove 1 -> absent
// 2 lies between, so that the inserts lock different nodes. One of the two removes comes last,
// after both inserts, and should have found its key.
// No violation is possible when all accesses are sc; locking both neighbours in insert
// (lazy-list-lock-both.c) hides this client, since both inserts then lock 2.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 4
//@ expect: holds
//@ run: check --level R --calls 4 --memory sc
//@ expect: holds
//@ run-full: check --level R --calls 5
//@ expect: violated witness.kind=client
// Under sc it holds at 5 calls, too, which takes some six minutes.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#pragma lineal object set level=R args=order
#pragma lineal init set_init(&set)
#pragma lineal op insert = set_insert(&set, key) -> result
#pragma lineal op remove = set_remove(&set, key) -> result

struct node {
    int key;
    pthread_mutex_t lock;
    _Atomic int marked;
    _Atomic(struct node *) next;
};

struct set {
    struct node *head; /* smaller than every key; the last node is greater */
};

struct set set;

static struct node *new_node(int key, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    pthread_mutex_init(&n->lock, NULL);
    atomic_store_explicit(&n->marked, 0, memory_order_relaxed);
    atomic_store_explicit(&n->next, next, memory_order_release);
    return n;
}

void set_init(struct set *s)
{
    s->head = new_node(INT_MIN, new_node(INT_MAX, NULL));
}

static struct node *next_of(struct node *n)
{
    return atomic_load_explicit(&n->next, memory_order_acquire);
}

static int is_marked(struct node *n)
{
    return atomic_load_explicit(&n->marked, memory_order_acquire);
}

/* The first node with that key or a greater one; `*before` is the node in front of it. */
static struct node *walk(struct set *s, int key, struct node **before)
{
    *before = s->head;
    struct node *n = next_of(s->head);
    while (n->key < key) {
        *before = n;
        n = next_of(n);
    }
    return n;
}

/* Whether the key was absent. Any key but INT_MIN and INT_MAX. */
int set_insert(struct set *s, int key)
{
    for (;;) {
        struct node *before;
        struct node *n = walk(s, key, &before);
        pthread_mutex_lock(&before->lock);
        /* Nobody removes `n` now: that takes this lock as well. */
        if (!is_marked(before) && next_of(before) == n) {
            int absent = n->key != key;
            if (absent)
                atomic_store_explicit(&before->next, new_node(key, n), memory_order_release);
            pthread_mutex_unlock(&before->lock);
            return absent;
        }
        pthread_mutex_unlock(&before->lock);
    }
}

/* Whether the key was present. */
int set_remove(struct set *s, int key)
{
    for (;;) {
        struct node *before;
        struct node *n = walk(s, key, &before);
        if (n->key != key || is_marked(n))
            return 0;
        pthread_mutex_lock(&before->lock);
        pthread_mutex_lock(&n->lock);
        int valid = !is_marked(before) && !is_marked(n) && next_of(before) == n;
        if (valid) {
            atomic_store_explicit(&n->marked, 1, memory_order_release);
            atomic_store_explicit(&before->next, next_of(n), memory_order_release);
        }
        pthread_mutex_unlock(&n->lock);
        pthread_mutex_unlock(&before->lock);
        if (valid)
            return 1;
    }
}
