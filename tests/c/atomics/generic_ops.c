//@ run: verify --memory sc
//@ expect: holds
// Every atomic_* function, default order.
#include <assert.h>
#include <stdatomic.h>

int main(void)
{
    atomic_int n;
    atomic_init(&n, 3);
    assert(atomic_load(&n) == 3);
    atomic_store(&n, 10);
    assert(atomic_exchange(&n, 20) == 10 && n == 20);
    assert(atomic_fetch_add(&n, 5) == 20 && atomic_fetch_sub(&n, 1) == 25);
    assert(atomic_fetch_or(&n, 0x40) == 24 && atomic_fetch_and(&n, 0x58) == 0x58);
    assert(atomic_fetch_xor(&n, 0xff) == 0x58 && atomic_load(&n) == 0xa7);
    int want = 5;
    assert(!atomic_compare_exchange_strong(&n, &want, 6) && want == 0xa7);
    assert(atomic_compare_exchange_strong(&n, &want, 6) && want == 0xa7 && n == 6);
    want = 0;
    assert(!atomic_compare_exchange_weak(&n, &want, 1) && want == 6);
    while (!atomic_compare_exchange_weak(&n, &want, want + 1))
        ;
    assert(n == 7);
    atomic_uint u = 0;
    assert(atomic_fetch_sub(&u, 1) == 0 && u == 4294967295u);
    atomic_schar c = 127;
    atomic_fetch_add(&c, 1);                     /* atomics wrap, signed ones too */
    assert(c == -128);
    atomic_int m = 2147483647;
    atomic_fetch_add(&m, 1);
    assert(m == -2147483647 - 1);
    assert(atomic_is_lock_free(&n));
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    return 0;
}
