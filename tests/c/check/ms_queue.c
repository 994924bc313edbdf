//@ run: check --calls 4
//@ expect: holds
//@ run: check --calls 3 --level RID
//@ expect: holds
// The queue of Michael and Scott; nodes are never freed.
#include <stdatomic.h>
#include <stdlib.h>

#pragma lineal object queue level=R args=independent
#pragma lineal init init()
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == -1

#define ACQ memory_order_acquire
#define REL memory_order_release
#define RLX memory_order_relaxed

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static int cas(_Atomic(struct node *) *p, struct node *old, struct node *new) {
    return atomic_compare_exchange_strong_explicit(p, &old, new, REL, RLX);
}

void init(void) {
    struct node *n = malloc(sizeof *n);
    atomic_init(&n->next, NULL);
    atomic_init(&head, n);
    atomic_init(&tail, n);
}

void enqueue(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    for (;;) {
        struct node *t = atomic_load_explicit(&tail, ACQ);
        struct node *s = atomic_load_explicit(&t->next, ACQ);
        if (t != atomic_load_explicit(&tail, ACQ))
            continue;
        if (s) {
            cas(&tail, t, s);
            continue;
        }
        if (cas(&t->next, NULL, n)) {
            cas(&tail, t, n);
            return;
        }
    }
}

int dequeue(void) {
    for (;;) {
        struct node *h = atomic_load_explicit(&head, ACQ);
        struct node *t = atomic_load_explicit(&tail, ACQ);
        struct node *s = atomic_load_explicit(&h->next, ACQ);
        if (h != atomic_load_explicit(&head, ACQ))
            continue;
        if (h == t) {
            if (!s)
                return -1;
            cas(&tail, t, s);
            continue;
        }
        int v = s->value;
        if (cas(&head, h, s))
            return v;
    }
}
