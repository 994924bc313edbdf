//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
// A weak compare-and-swap may fail although the values agree; a program must not rely on success.
#include <assert.h>
#include <stdatomic.h>

static atomic_int n = 1;

int main(void)
{
    int want = 1;
    assert(atomic_compare_exchange_weak(&n, &want, 2));
    return 0;
}
