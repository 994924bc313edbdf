//@ run: verify --memory sc
//@ expect: violated witness.kind=overflow
// INT_MIN / -1 does not fit either.
#include <limits.h>

int main(void)
{
    int a = INT_MIN, b = -1;
    return a / b;
}
