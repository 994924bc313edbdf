//@ run: verify
//@ expect: violated witness.kind=no-value
// The end of a function is reached without a value, and its caller uses one.
#include <assert.h>

static int sign(int x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}

int main(void)
{
    sign(0);
    (void)sign(0);
    1 ? sign(0) : sign(1);
    sign(0), sign(1);
    assert(sign(5) == 1);
    return sign(0);
}
