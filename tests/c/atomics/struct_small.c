//@ run: verify --memory sc
//@ expect: holds
// Atomic structs of at most eight bytes: load, store, exchange, compare as a whole.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

struct ref { uint32_t index, tag; };
static _Atomic(struct ref) head;

static void bump(uint32_t index)
{
    struct ref old = atomic_load(&head), new;
    do {
        new.index = index;
        new.tag = old.tag + 1;
    } while (!atomic_compare_exchange_weak(&head, &old, new));
}

int main(void)
{
    struct ref r = { 3, 1 };
    atomic_store(&head, r);
    r = atomic_load(&head);
    assert(r.index == 3 && r.tag == 1);
    bump(9);
    bump(3);
    r = head;
    assert(r.index == 3 && r.tag == 3);
    struct ref stale = { 3, 1 };
    assert(!atomic_compare_exchange_strong(&head, &stale, ((struct ref){ 0, 0 })));
    assert(stale.tag == 3);
    r = atomic_exchange(&head, stale);
    assert(r.tag == 3);
    head = (struct ref){ 1, 1 };
    assert(atomic_load(&head).index == 1);
    return 0;
}
