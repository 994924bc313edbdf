//@ run: verify --memory sc
//@ expect: holds
// __atomic_*_n, and the forms that go through pointers, on a plain int.
#include <assert.h>

static int n;

int main(void)
{
    __atomic_store_n(&n, 3, __ATOMIC_RELEASE);
    assert(__atomic_load_n(&n, __ATOMIC_ACQUIRE) == 3);
    assert(__atomic_exchange_n(&n, 9, __ATOMIC_ACQ_REL) == 3);
    assert(__atomic_fetch_add(&n, 1, __ATOMIC_RELAXED) == 9);
    assert(__atomic_fetch_sub(&n, 2, __ATOMIC_SEQ_CST) == 10);
    assert(__atomic_fetch_and(&n, 12, __ATOMIC_ACQUIRE) == 8);
    assert(__atomic_fetch_or(&n, 3, __ATOMIC_RELEASE) == 8);
    assert(__atomic_fetch_xor(&n, 1, __ATOMIC_SEQ_CST) == 11);
    assert(__atomic_fetch_nand(&n, 6, __ATOMIC_SEQ_CST) == 10 && n == ~(10 & 6));
    n = 4;
    assert(__atomic_add_fetch(&n, 1, __ATOMIC_RELAXED) == 5);
    assert(__atomic_sub_fetch(&n, 3, __ATOMIC_RELAXED) == 2);
    assert(__atomic_or_fetch(&n, 5, __ATOMIC_RELAXED) == 7);
    assert(__atomic_and_fetch(&n, 6, __ATOMIC_RELAXED) == 6);
    assert(__atomic_xor_fetch(&n, 3, __ATOMIC_RELAXED) == 5);
    assert(__atomic_nand_fetch(&n, 4, __ATOMIC_RELAXED) == ~4);
    n = 1;
    int want = 2;
    assert(!__atomic_compare_exchange_n(&n, &want, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && want == 1);
    assert(__atomic_compare_exchange_n(&n, &want, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && n == 5);
    int v = 8, out;
    __atomic_store(&n, &v, __ATOMIC_SEQ_CST);
    __atomic_load(&n, &out, __ATOMIC_SEQ_CST);
    assert(out == 8);
    v = 9;
    __atomic_exchange(&n, &v, &out, __ATOMIC_SEQ_CST);
    assert(out == 8 && n == 9);
    want = 9;
    v = 10;
    assert(__atomic_compare_exchange(&n, &want, &v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && n == 10);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    assert(__atomic_always_lock_free(sizeof n, 0) && __atomic_is_lock_free(sizeof n, &n));
    char flag = 0;
    assert(!__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE) && __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    assert(flag == 0);
    return 0;
}
