//@ run: verify --memory sc
//@ expect: holds
// atomic_flag: test-and-set, clear, all spellings.
#include <assert.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;

int main(void)
{
    assert(!atomic_flag_test_and_set(&lock));
    assert(atomic_flag_test_and_set(&lock));
    atomic_flag_clear(&lock);
    assert(!atomic_flag_test_and_set_explicit(&lock, memory_order_acquire));
    assert(atomic_flag_test_and_set_explicit(&lock, memory_order_relaxed));
    atomic_flag_clear_explicit(&lock, memory_order_release);
    assert(!atomic_flag_test_and_set_explicit(&lock, memory_order_seq_cst));
    atomic_flag local = ATOMIC_FLAG_INIT, *p = &local;
    assert(!atomic_flag_test_and_set(p) && atomic_flag_test_and_set(p));
    return 0;
}
