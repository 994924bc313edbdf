//@ run: robust --calls 4
//@ expect: holds
//@ run: robust --calls 4 --weaken
//@ expect: holds  rewrite.goal=weaken  rewrite.minimal=true  rewrite.verified=true  rewrite.changes.len=13
// The queue of Michael and Scott as one would write it down at first, seq_cst everywhere: where
// `lineal robust --weaken` starts from. It arrives at orders as weak as those of michael-scott.c, or weaker: loads
// acquire, swaps release, nothing else is more than relaxed, not even swaps that fail.
#include <stdatomic.h>
#include <stdlib.h>

#pragma lineal object queue level=none args=independent
#pragma lineal init start()
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value, empty if result == 0

struct node {
    atomic_int value;
    struct node *_Atomic next;
};
static struct node *_Atomic head, *_Atomic tail;

void start(void)
{
    struct node *dummy = malloc(sizeof *dummy);
    atomic_init(&dummy->next, 0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
}

void enqueue(int value)
{
    struct node *mine = malloc(sizeof *mine);
    atomic_store(&mine->value, value);
    atomic_store(&mine->next, 0);
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, mine)) {
            atomic_compare_exchange_strong(&tail, &last, mine);
            return;
        }
    }
}

int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (!next)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = atomic_load(&next->value);
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}
