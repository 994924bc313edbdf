//@ run: robust --calls 4 -D LOOK=acquire
//@ expect: holds
//@ run: robust --calls 4
//@ expect: violated
//@ run: robust --calls 4 -D LOOK=acquire -D ONCE
//@ expect: violated
//@ run: check --calls 4
//@ expect: error line=19
// What a failed round of a retry loop saw may be old, which nobody can tell: the round is left out, and what
// remains is an execution of sequential consistency. A loop that gives up after one round does tell, and so does
// one whose last round may learn of another's update without what went before it (a relaxed load of l1).
// From: Nagar et al., OOPSLA 2024, appendix C. Robustness is not about what calls mean, so no specification
// is asked for; `check` does.
#include <stdatomic.h>
#ifndef LOOK
#define LOOK relaxed
#endif
#pragma lineal object spec args=independent
#pragma lineal op put = put(value)
#pragma lineal op swap = swap(value) -> result
#define JOIN(a, b) a##b
#define MODE(m) JOIN(memory_order_, m)

static atomic_int l1, l2;

void put(int v)
{
    atomic_store_explicit(&l2, v, memory_order_release);
}

int swap(int v)
{
    int seen, other;
    do {
        seen = atomic_load_explicit(&l1, MODE(LOOK));
        other = atomic_load_explicit(&l2, memory_order_acquire);
#ifdef ONCE
        atomic_compare_exchange_strong_explicit(&l1, &seen, v, memory_order_acq_rel, memory_order_relaxed);
        break;
#endif
    } while (!atomic_compare_exchange_strong_explicit(&l1, &seen, v, memory_order_acq_rel, memory_order_relaxed));
    return other;
}
