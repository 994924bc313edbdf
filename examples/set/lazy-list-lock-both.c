// The lazy list, inserts locking both neighbours: right under sc, wrong under weaker memory.
//
// What it is. lazy-list.c as its authors wrote it: an insert locks the node before the gap and the
// one behind it.
// From: Heller, Herlihy, Luchangco, Moir, Scherer and Shavit, OPODIS 2005; see there.
//
// Linearization points. Insert: the store that links. Remove: the store that marks. An insert that
// finds its key: the check under the locks. A remove that does not: the reads of its walk.
//
// Why these access modes. As in lazy-list.c. The additional lock orders two inserts on either side
// of one node, which is what the smallest client that breaks lazy-list.c needs not to happen, so
// that client is fine here. Release and acquire still do not suffice: two inserts with two nodes
// in between share no lock, and both removes of
//     insert 1; remove 4 -> absent  ||  insert 2; insert 3  ||  insert 4; remove 1 -> absent
// may fail. No violation is possible when all accesses are sc.
//
// Verdicts, under rc11 unless a line says otherwise:
//@ run: check --level R --calls 4
//@ expect: holds
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
        pthread_mutex_lock(&n->lock);
        int valid = !is_marked(before) && !is_marked(n) && next_of(before) == n;
        int absent = n->key != key;
        if (valid && absent)
            atomic_store_explicit(&before->next, new_node(key, n), memory_order_release);
        pthread_mutex_unlock(&n->lock);
        pthread_mutex_unlock(&before->lock);
        if (valid)
            return absent;
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
