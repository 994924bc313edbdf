//@ run: verify --memory sc
//@ expect: holds
// Sixteen-byte compare-and-swap on a counted pointer.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

struct node { int v; };
struct counted { struct node *ptr; uintptr_t count; };
static _Atomic(struct counted) top;

int main(void)
{
    struct node a = { 1 }, b = { 2 };
    struct counted c = { &a, 0 };
    atomic_store(&top, c);
    struct counted old = atomic_load(&top);
    assert(old.ptr == &a && old.count == 0);
    struct counted new = { &b, old.count + 1 };
    assert(atomic_compare_exchange_strong(&top, &old, new));
    assert(!atomic_compare_exchange_strong(&top, &old, new));    /* the count moved on */
    assert(old.ptr == &b && old.count == 1);
    new = (struct counted){ &b, 7 };
    old.count = 0;
    assert(!atomic_compare_exchange_strong(&top, &old, new) && old.count == 1);
    while (!atomic_compare_exchange_weak_explicit(&top, &old, new, memory_order_acq_rel, memory_order_acquire))
        ;
    old = atomic_exchange(&top, c);
    assert(old.count == 7 && old.ptr->v == 2);
    assert(sizeof top == 16);
    return 0;
}
