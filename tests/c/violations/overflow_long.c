//@ run: verify --memory sc
//@ expect: violated witness.kind=overflow
// The same in 64 bits, by compound assignment.
#include <limits.h>

int main(void)
{
    long n = LONG_MIN;
    n -= 1;
    return n > 0;
}
