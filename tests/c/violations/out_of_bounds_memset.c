//@ run: verify --memory sc
//@ expect: violated witness.kind=out-of-bounds
// The size of a pointer where the size of the target was meant, the other way round.
#include <string.h>

int main(void)
{
    struct { short a, b; } s;
    void *p = &s;
    memset(p, 0, sizeof p);
    return s.a;
}
