//@ run: verify --memory sc
//@ expect: error line=4
// The header of non-local jumps.
#include <setjmp.h>

int main(void)
{
    return 0;
}
