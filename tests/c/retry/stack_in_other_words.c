//@ run: check -DSHAPE=0 --calls 5
//@ expect: holds stats.executions=94
//@ run: check -DSHAPE=1 --calls 5
//@ expect: holds stats.executions=94
//@ run: check -DSHAPE=2 --calls 5
//@ expect: holds stats.executions=94
//@ run: check -DSHAPE=3 --calls 5
//@ expect: holds stats.executions=94
//@ run: check -DSHAPE=4 --calls 5
//@ expect: holds stats.executions=94
//@ run: check -DSHAPE=5 --calls 5
//@ expect: holds stats.executions=94
//@ run: check -DSHAPE=6 --calls 5
//@ expect: holds stats.executions=94
//@ run: check -DSHAPE=7 --calls 5
//@ expect: holds
//@ run: check -DSHAPE=6 --calls 3 --no-reduction iterations
//@ expect: holds
// The same retry loop in other words costs the same: what counts is the control flow.
#include <stdatomic.h>
#include <stdlib.h>

#pragma lineal object stack level=R args=independent
#pragma lineal op push = push(value)
#pragma lineal op pop = pop() -> value, empty if result == 0

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) top;

static int swing(struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(&top, &from, to, memory_order_release, memory_order_relaxed);
}

static struct node *look(void)
{
    return atomic_load_explicit(&top, memory_order_acquire);
}

static struct node *link(struct node *n)
{
    struct node *t = look();
    atomic_store_explicit(&n->next, t, memory_order_relaxed);
    return t;
}

static struct node *behind(struct node *n)
{
    return atomic_load_explicit(&n->next, memory_order_relaxed);
}

static int attempt(struct node *n)
{
    struct node *t = link(n);
    return swing(t, n);
}

void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
#if SHAPE == 0
    for (;;) {
        struct node *t = link(n);
        if (swing(t, n))
            return;
    }
#elif SHAPE == 1
    while (1) {
        struct node *t = link(n);
        if (swing(t, n))
            break;
    }
#elif SHAPE == 2
    struct node *t;
    do {
        t = link(n);
    } while (!swing(t, n));
#elif SHAPE == 3
again:;
    struct node *t = link(n);
    if (!swing(t, n))
        goto again;
#elif SHAPE == 4
    while (!attempt(n))
        ;
#elif SHAPE == 5
    for (;;) {
        struct node *t = link(n);
        if (!swing(t, n))
            continue;
        break;
    }
#elif SHAPE == 7
    for (int done = 0; !done;) {
        struct node *t = link(n);
        done = swing(t, n);
    }
#elif SHAPE == 6
    struct node *t = look();
    do
        atomic_store_explicit(&n->next, t, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &t, n, memory_order_release, memory_order_acquire));
#endif
}

int pop(void)
{
#if SHAPE == 0
    for (;;) {
        struct node *t = look();
        if (!t)
            return 0;
        if (swing(t, behind(t)))
            return t->value;
    }
#elif SHAPE == 1
    struct node *t;
    while (1) {
        t = look();
        if (!t)
            break;
        if (swing(t, behind(t)))
            break;
    }
    return t ? t->value : 0;
#elif SHAPE == 2
    struct node *t;
    do {
        t = look();
    } while (t && !swing(t, behind(t)));
    return t ? t->value : 0;
#elif SHAPE == 3
    struct node *t;
again:
    t = look();
    if (!t)
        return 0;
    if (!swing(t, behind(t)))
        goto again;
    return t->value;
#elif SHAPE == 4
    struct node *t;
    while ((t = look()) && !swing(t, behind(t)))
        ;
    return t ? t->value : 0;
#elif SHAPE == 5
    for (;;) {
        struct node *t = look();
        if (!t)
            return 0;
        if (!swing(t, behind(t)))
            continue;
        return t->value;
    }
#elif SHAPE == 7
    int value = 0;
    for (int done = 0; !done;) {
        struct node *t = look();
        if (!t)
            return 0;
        done = swing(t, behind(t));
        value = t->value;
    }
    return value;
#elif SHAPE == 6
    struct node *t = look();
    while (t && !atomic_compare_exchange_strong_explicit(&top, &t, behind(t), memory_order_release,
                                                         memory_order_acquire))
        ;
    return t ? t->value : 0;
#endif
}
