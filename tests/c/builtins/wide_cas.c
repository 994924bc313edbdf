//@ run: verify --memory sc
//@ expect: holds
// Sixteen-byte operations through __atomic builtins on a plain two-word struct.
#include <assert.h>
#include <stdbool.h>

struct cell { void *p; unsigned long n; } __attribute__((aligned(16)));
static struct cell top;

int main(void)
{
    int x;
    struct cell old = { 0, 0 }, new = { &x, 1 }, seen;
    assert(__atomic_compare_exchange(&top, &old, &new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(!__atomic_compare_exchange(&top, &old, &new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(old.p == &x && old.n == 1);
    __atomic_load(&top, &seen, __ATOMIC_ACQUIRE);
    assert(seen.p == &x && seen.n == 1);
    new.n = 2;
    __atomic_store(&top, &new, __ATOMIC_RELEASE);
    __atomic_exchange(&top, &old, &seen, __ATOMIC_ACQ_REL);
    assert(seen.n == 2 && old.n == 1);
    return 0;
}
