//@ run: verify
//@ expect: holds
// What gcc knows of string literals while it compiles may stand in a static assertion; and the last member
// of a struct may do without its semicolon.
#include <assert.h>
#include <stddef.h>
_Static_assert(!__builtin_strchr("no end of line", '\n'), "");
_Static_assert(__builtin_strlen("four\0more") == 4, "");
struct pair { int a; struct { int b; } };
int main(void)
{
    static_assert(!__builtin_strchr("abc", 'x'), "");
    assert(__builtin_strchr("abc", 'b') != NULL && *__builtin_strchr("abc", 'b') == 'b');
    struct pair p = { 1, { 2 } };
    assert(p.a + p.b == 3);
    return 0;
}
