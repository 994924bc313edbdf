//@ run: verify --memory sc --wrapv
//@ expect: holds
// With --wrapv signed arithmetic wraps.
#include <assert.h>
#include <limits.h>

static int next(int x) { return x + 1; }

int main(void)
{
    assert(next(INT_MAX) == INT_MIN);
    assert(-next(INT_MAX) == INT_MIN);
    return 0;
}
