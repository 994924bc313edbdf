//@ run: check --calls 3
//@ expect: holds
//@ run: check --calls 3 -DLOST
//@ expect: violated  witness.kind=client
//@ run: check --calls 2 --level R
//@ expect: error code=L0017 message="level R is not defined for `object spec`"
// A register that keeps the largest number; its specification is C as well.
#include <stdatomic.h>
#pragma lineal object spec args=order level=none
#pragma lineal spec_init reset()
#pragma lineal op raise = raise_to(value)
#pragma lineal op read = largest() -> value
#pragma lineal spec raise = s_raise(value)
#pragma lineal spec read = s_read()
static atomic_int most;
void raise_to(int value) {
#ifdef LOST
    if (atomic_load(&most) < value) atomic_store(&most, value);
#else
    int seen = atomic_load(&most);
    while (seen < value && !atomic_compare_exchange_strong(&most, &seen, value)) {
    }
#endif
}
int largest(void) { return atomic_load(&most); }

static int s_most;
void reset(void) { s_most = 0; }
void s_raise(int value) {
    if (value > s_most) s_most = value;
}
int s_read(void) { return s_most; }
