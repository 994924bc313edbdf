//@ run: robust --calls 5
//@ expect: holds
//@ run: robust --calls 5 -D FILL=relaxed
//@ expect: holds
//@ run-full: robust --calls 6
//@ expect: violated witness.kind=order
//@ run: robust --calls 5 -D LINK=relaxed
//@ expect: violated
// A queue of segments with tickets, as in Folly's unbounded queue: whoever comes takes a segment that is
// not too late, then a ticket, and goes on to the segment of that ticket, which it allocates if nobody has.
// A dequeue waits until its slot is filled. Who has a segment's last ticket moves `tail` or `head` on.
// Nothing but the element itself lies in a slot, so filling it may be relaxed; linking a segment may not.
// Robust to five calls. With six, one thread moves `head` and looks for `tail`, another moves `tail` and looks
// for `head`, and both find the old ones: the answers are the same, as both walk on to their segment.
#include "modes.h"
#include <stdlib.h>

#ifndef FILL
#define FILL release
#endif
#ifndef LINK
#define LINK acq_rel
#endif

#pragma lineal object queue level=none args=independent
#pragma lineal init start()
#pragma lineal op enqueue = enqueue(value)
#pragma lineal op dequeue = dequeue() -> value

enum { SLOTS = 2 };
struct segment {
    unsigned first;
    atomic_int slot[SLOTS];
    struct segment *_Atomic next;
};
static struct segment *_Atomic head, *_Atomic tail;
static atomic_uint produced, consumed;

static struct segment *new_segment(unsigned first)
{
    struct segment *mine = malloc(sizeof *mine);
    mine->first = first;
    for (int i = 0; i < SLOTS; i++)
        atomic_init(&mine->slot[i], 0);
    atomic_init(&mine->next, 0);
    return mine;
}

void start(void)
{
    struct segment *first = new_segment(0);
    atomic_init(&head, first);
    atomic_init(&tail, first);
}

static struct segment *after(struct segment *s)
{
    struct segment *next = LOAD(s->next, acquire);
    if (!next) {
        struct segment *mine = new_segment(s->first + SLOTS);
        if (atomic_compare_exchange_strong_explicit(&s->next, &next, mine, ORDER(LINK), memory_order_acquire))
            next = mine;
    }
    return next;
}

static struct segment *with(struct segment *s, unsigned ticket)
{
    while (ticket >= s->first + SLOTS)
        s = after(s);
    return s;
}

static void leave(struct segment *_Atomic *end, struct segment *s, unsigned ticket)
{
    if (ticket % SLOTS != SLOTS - 1)
        return;
    while (LOAD(*end, acquire) != s)
        ;
    STORE(*end, after(s), release);
}

void enqueue(int value)
{
    struct segment *s = LOAD(tail, acquire);
    unsigned ticket = atomic_fetch_add_explicit(&produced, 1, memory_order_acq_rel);
    s = with(s, ticket);
    STORE(s->slot[ticket % SLOTS], value, FILL);
    leave(&tail, s, ticket);
}

int dequeue(void)
{
    struct segment *s = LOAD(head, acquire);
    unsigned ticket = atomic_fetch_add_explicit(&consumed, 1, memory_order_acq_rel);
    s = with(s, ticket);
    int value;
    while (!(value = LOAD(s->slot[ticket % SLOTS], acquire)))
        ;
    leave(&head, s, ticket);
    return value;
}
