//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// A local is used after the block that declares it.
#include <assert.h>

int main(void)
{
    int *p;
    {
        int x = 5;
        p = &x;
    }
    assert(*p == 5);
    return 0;
}
