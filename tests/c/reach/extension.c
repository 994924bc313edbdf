//@ run: verify --memory sc
//@ expect: holds
// `__extension__` says nothing about what follows.
#include <assert.h>

__extension__ typedef long long ll;
#define max(a, b) __extension__({ __typeof__(a) x = (a), y = (b); x > y ? x : y; })

int main(void)
{
    int n = max(3, 4);
    __extension__({ n++; });
    if (__extension__({ n == 5; })) n = (__extension__ 6);
    __extension__ int m = __extension__((ll)n);
    assert(m == 6);
    return 0;
}
