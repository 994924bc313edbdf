//@ run: verify --memory sc
//@ expect: error line=4
// The header of variable arguments.
#include <stdarg.h>

int main(void)
{
    return 0;
}
