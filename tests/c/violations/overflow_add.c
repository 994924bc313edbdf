//@ run: verify --memory sc
//@ expect: violated witness.kind=overflow
// Signed addition past INT_MAX.
#include <limits.h>

static int next(int x) { return x + 1; }

int main(void)
{
    return next(INT_MAX) > 0;
}
