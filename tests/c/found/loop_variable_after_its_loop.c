//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// The variable of a for statement ends with it.
#include <stdatomic.h>

static _Atomic(int *) p;

int main(void)
{
    for (int i = 0; i < 2; i++)
        p = &i;
    return *p;
}
