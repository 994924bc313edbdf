//@ run: check --client "add(1); remove(3) || add(2) || add(3); remove(1)"
//@ expect: violated  witness.kind=client
//@ run: check --client "add(1); remove(3) || add(3); remove(1)"
//@ expect: holds
//@ run: check --client "add(1); remove(3) || add(2) || add(3); remove(1)" --memory sc
//@ expect: holds
//@ from: Golovin, Kokologiannakis and Vafeiadis, POPL 2025, example 6.2
// A lazy list with locks on nodes; release and acquire are not enough.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#pragma lineal object set args=order level=none
#pragma lineal init init()
#pragma lineal op add = add(key)
#pragma lineal op remove = del(key)

struct node {
    int key;
    atomic_int marked;
    _Atomic(struct node *) next;
    pthread_mutex_t lock;
};
static struct node *head;

static struct node *make(int key, struct node *next) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    atomic_init(&n->marked, 0);
    atomic_init(&n->next, next);
    pthread_mutex_init(&n->lock, 0);
    return n;
}

void init(void) { head = make(-1, make(1000, 0)); }

static void find(int key, struct node **pred, struct node **curr) {
    struct node *p = head;
    struct node *c = atomic_load_explicit(&p->next, memory_order_acquire);
    while (c->key < key) {
        p = c;
        c = atomic_load_explicit(&c->next, memory_order_acquire);
    }
    *pred = p;
    *curr = c;
}

static int valid(struct node *p, struct node *c) {
    return !atomic_load_explicit(&p->marked, memory_order_acquire)
        && !atomic_load_explicit(&c->marked, memory_order_acquire)
        && atomic_load_explicit(&p->next, memory_order_acquire) == c;
}

int add(int key) {
    struct node *p, *c;
    for (;;) {
        find(key, &p, &c);
        pthread_mutex_lock(&p->lock);
        if (valid(p, c)) {
            int absent = c->key != key;
            if (absent) atomic_store_explicit(&p->next, make(key, c), memory_order_release);
            pthread_mutex_unlock(&p->lock);
            return absent;
        }
        pthread_mutex_unlock(&p->lock);
    }
}

int del(int key) {
    struct node *p, *c;
    for (;;) {
        find(key, &p, &c);
        if (c->key != key) return 0;
        pthread_mutex_lock(&p->lock);
        pthread_mutex_lock(&c->lock);
        int ok = valid(p, c);
        if (ok) {
            atomic_store_explicit(&c->marked, 1, memory_order_release);
            atomic_store_explicit(&p->next, atomic_load_explicit(&c->next, memory_order_acquire),
                                  memory_order_release);
        }
        pthread_mutex_unlock(&c->lock);
        pthread_mutex_unlock(&p->lock);
        if (ok) return 1;
    }
}
