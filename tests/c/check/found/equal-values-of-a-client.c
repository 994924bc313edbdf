//@ run: check --calls 2
//@ expect: holds
//@ run: check --client "put(1); put(1) || take()"
//@ expect: error code=L0017 message="two calls have the same value"
//@ from: which of two equal values was taken, a type of one's own cannot tell
#include <stdatomic.h>
#pragma lineal object spec args=independent level=(put->take:value)
#pragma lineal op put = put(value)
#pragma lineal op take = take() -> value, empty if result == 0
#pragma lineal spec put = s_put(value)
#pragma lineal spec take = s_take()
static atomic_int cell;
void put(int v) { atomic_exchange(&cell, v); }
int take(void) { return atomic_exchange(&cell, 0); }
static int held;
void s_put(int v) { held = v; }
int s_take(void)
{
    int v = held;
    held = 0;
    return v;
}
