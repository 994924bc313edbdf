//@ run: verify --memory sc
//@ expect: holds
// && and || evaluate the right operand only when needed; ?: one arm only.
#include <assert.h>
#include <stddef.h>

static int n;
static int yes(void) { n++; return 7; }
static int no(void) { n += 100; return 0; }

int main(void)
{
    int *p = NULL;
    assert(!(p && *p));
    assert(p == NULL || *p == 1);
    n = 0;
    assert((no() && yes()) == 0 && n == 100);
    n = 0;
    assert((yes() || no()) == 1 && n == 1);
    n = 0;
    assert((yes() && no() || yes()) == 1 && n == 102);
    n = 0;
    assert((1 ? yes() : no()) == 7 && n == 1);
    n = 0;
    assert((0 ? yes() : no()) == 0 && n == 100);
    n = 0;
    int r = yes() ?: no();              /* GNU: the condition is the value, evaluated once */
    assert(r == 7 && n == 1);
    r = no() ?: 5;
    assert(r == 5 && n == 101);
    int a = 0, b = a++ || a++;
    assert(a == 2 && b == 1);
    b = !!16;
    assert(b == 1 && !0 == 1 && !!0 == 0);
    int x = 1 ? 2 : 0 ? 3 : 4;
    assert(x == 2 && (0 ? 2 : 0 ? 3 : 4) == 4);
    return 0;
}
