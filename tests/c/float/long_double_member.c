//@ run: verify --memory sc
//@ expect: holds
// A member whose values are not modelled takes its room, and nobody touches it.
#include <assert.h>

struct s {
    int a;
    long double d;
    int b;
};
typedef __int128 wide;
struct t {
    char c;
    wide w;
};

int main(void)
{
    struct s s = { .a = 1, .b = 2 }, t = s;
    assert(t.b == 2 && sizeof(struct s) == 48 && _Alignof(struct t) == 16);
    return 0;
}
