//@ run: verify --memory sc
//@ expect: holds
// The usual arithmetic conversions: mixing signedness and rank.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int i = -1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    long long ll = -1;

    assert(i > u);                       /* -1 becomes UINT_MAX */
    assert(l < u);                       /* unsigned fits into long */
    assert(l > ul);                      /* -1 becomes ULONG_MAX */
    assert(ll > (unsigned long)0);       /* long long takes its unsigned type */
    assert(i + u == 0);
    assert((i + u) == 0u && sizeof(i + u) == 4);
    assert(sizeof(l + u) == 8 && l + u == 0);
    assert(u - 2 == UINT_MAX);
    assert((long)(u - 2) == 4294967295L);
    assert(-1L * (long)u == -1);
    assert(i / 2u == 2147483647u);
    assert(-7 / 2 == -3 && -7 % 2 == -1);
    assert(7 % -2 == 1 && -7 / -2 == 3);
    assert((unsigned)-7 % 2u == 1);
    assert((1 ? -1 : 0u) == UINT_MAX);   /* both arms shape the type */
    assert(sizeof(1 ? (char)1 : (short)2) == sizeof(int));
    assert(sizeof(1 ? 1 : 1LL) == 8);
    return 0;
}
