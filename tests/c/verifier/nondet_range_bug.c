//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion
// One value in the range breaks the assertion.
#include <assert.h>

int __VERIFIER_nondet_range(int, int);

int main(void)
{
    int n = __VERIFIER_nondet_range(0, 7);
    assert(n * n != 25);
    return 0;
}
