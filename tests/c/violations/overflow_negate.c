//@ run: verify --memory sc
//@ expect: violated witness.kind=overflow
// -INT_MIN.
#include <limits.h>

static int absolute(int x) { return x < 0 ? -x : x; }

int main(void)
{
    return absolute(INT_MIN) < 0;
}
