//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
//@ run: verify --memory sc -DBACK
//@ expect: violated witness.kind=use-after-free
//@ run: verify --memory sc -DINSIDE
//@ expect: holds
// A goto out of a block ends its locals, one that stays inside does not.
#include <assert.h>
#include <stdatomic.h>

static _Atomic(int *) p;

int main(void)
{
    int rounds = 0;
back:
    if (rounds++)
        goto out;
    {
        int x = 5;
        p = &x;
#ifdef BACK
        goto back;
#elif defined INSIDE
        goto inside;
    inside:
        assert(*p == 5);
        return 0;
#else
        goto out;
#endif
    }
out:
    return *p;
}
