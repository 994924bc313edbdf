//@ run: verify --memory sc
//@ expect: holds
// A boolean choice covers both values and nothing else.
#include <assert.h>
#include <stdbool.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
    assert(a == 0 || a == 1);
    assert((a && b) == !(!a || !b));
    return 0;
}
