//@ run: verify --memory sc
//@ expect: holds
// _Static_assert at file scope, in a block and in a struct; with and without <assert.h>'s macro.
#include <assert.h>
#include <stddef.h>

_Static_assert(sizeof(int) == 4, "int is four bytes");
static_assert(1 + 1 == 2, "arithmetic");

struct pair {
    int a;
    _Static_assert(sizeof(short) == 2, "short");
    int b;
};
_Static_assert(offsetof(struct pair, b) == 4, "no padding");
enum { N = 3 };
_Static_assert(N < 5 && (N ? 1 : 0), "constant expressions");
_Static_assert((unsigned char)300 == 44, "casts fold");
_Static_assert(-1 < 0 && -1 > 0u, "conversions fold");
_Static_assert(~0u >> 31 == 1 && 7 / 2 == 3, "operators fold");

int main(void)
{
    _Static_assert(sizeof(struct pair) == 8, "block scope");
    struct pair p = { 1, 2 };
    assert(p.a + p.b == 3);
    return 0;
}
