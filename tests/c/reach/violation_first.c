//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion witness.at.line=7
// An error before the construct that is refused is still an error.
#include <assert.h>
int main(void)
{
    assert(0);
    __asm__("cpuid");
    return 0;
}
