//@ run: verify --memory sc
//@ expect: holds
// __sync_* builtins.
#include <assert.h>

static int n;
static int *p;

int main(void)
{
    assert(__sync_fetch_and_add(&n, 5) == 0 && __sync_fetch_and_sub(&n, 1) == 5);
    assert(__sync_fetch_and_or(&n, 3) == 4 && __sync_fetch_and_and(&n, 5) == 7);
    assert(__sync_fetch_and_xor(&n, 1) == 5 && n == 4);
    assert(__sync_fetch_and_nand(&n, 6) == 4 && n == ~4);
    n = 1;
    assert(__sync_add_and_fetch(&n, 5) == 6 && __sync_sub_and_fetch(&n, 2) == 4);
    assert(__sync_or_and_fetch(&n, 1) == 5 && __sync_and_and_fetch(&n, 4) == 4);
    assert(__sync_xor_and_fetch(&n, 6) == 2 && __sync_nand_and_fetch(&n, 2) == ~2);
    n = 3;
    assert(__sync_bool_compare_and_swap(&n, 3, 4) && !__sync_bool_compare_and_swap(&n, 3, 5));
    assert(__sync_val_compare_and_swap(&n, 4, 6) == 4 && __sync_val_compare_and_swap(&n, 4, 7) == 6);
    assert(__sync_bool_compare_and_swap(&p, (int *)0, &n) && *p == 6);
    __sync_synchronize();
    int lock = 0;
    assert(__sync_lock_test_and_set(&lock, 1) == 0 && __sync_lock_test_and_set(&lock, 1) == 1);
    __sync_lock_release(&lock);
    assert(lock == 0);
    unsigned char c = 255;
    assert(__sync_add_and_fetch(&c, 1) == 0);
    return 0;
}
