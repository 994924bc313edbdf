//@ run: verify --memory sc
//@ expect: holds
// Every atomic_*_explicit function with the orders it may take.
#include <assert.h>
#include <stdatomic.h>

static atomic_long n;

int main(void)
{
    atomic_store_explicit(&n, 1, memory_order_relaxed);
    atomic_store_explicit(&n, 2, memory_order_release);
    atomic_store_explicit(&n, 3, memory_order_seq_cst);
    assert(atomic_load_explicit(&n, memory_order_relaxed) == 3);
    assert(atomic_load_explicit(&n, memory_order_consume) == 3);
    assert(atomic_load_explicit(&n, memory_order_acquire) == 3);
    assert(atomic_load_explicit(&n, memory_order_seq_cst) == 3);
    assert(atomic_exchange_explicit(&n, 4, memory_order_acq_rel) == 3);
    assert(atomic_fetch_add_explicit(&n, 4, memory_order_relaxed) == 4);
    assert(atomic_fetch_sub_explicit(&n, 2, memory_order_acquire) == 8);
    assert(atomic_fetch_or_explicit(&n, 9, memory_order_release) == 6);
    assert(atomic_fetch_and_explicit(&n, 12, memory_order_acq_rel) == 15);
    assert(atomic_fetch_xor_explicit(&n, 5, memory_order_seq_cst) == 12);
    long want = 9;
    assert(atomic_compare_exchange_strong_explicit(&n, &want, 1, memory_order_acq_rel, memory_order_relaxed));
    assert(!atomic_compare_exchange_strong_explicit(&n, &want, 1, memory_order_release, memory_order_acquire));
    assert(want == 1);
    want = 7;
    assert(!atomic_compare_exchange_weak_explicit(&n, &want, 0, memory_order_seq_cst, memory_order_seq_cst));
    assert(want == 1 && n == 1);
    enum { o = memory_order_acquire };            /* an order may be any constant */
    assert(atomic_load_explicit(&n, o) == 1);
    atomic_thread_fence(memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_signal_fence(memory_order_seq_cst);
    return 0;
}
