//@ run: verify --memory sc
//@ expect: error line=4
// The header of floating-point functions.
#include <math.h>

int main(void)
{
    return 0;
}
