//@ run: verify --memory sc
//@ expect: holds
// The header of floating-point functions.
#include <math.h>

int main(void)
{
    return 0;
}
