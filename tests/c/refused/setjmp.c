//@ run: verify --memory sc
//@ expect: error line=10
// Non-local jumps.
#include <setjmp.h>

static jmp_buf env;

int main(void)
{
    if (setjmp(env))
        return 1;
    return 0;
}
