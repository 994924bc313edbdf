//@ run: verify --memory sc
//@ expect: unknown limit.kind=method limit.at.line=10
// One atomic object accessed with two sizes: the second access is refused, both lines are named.
#include <stdatomic.h>

static union { atomic_int whole; atomic_short half[2]; } u;

int main(void)
{
    atomic_store(&u.whole, 1);
    return atomic_load(&u.half[1]);
}
