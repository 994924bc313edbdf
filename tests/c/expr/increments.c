//@ run: verify --memory sc
//@ expect: holds
// Prefix and postfix on integers, pointers, members and through pointers.
#include <assert.h>

struct s { int n; int *p; };

int main(void)
{
    int i = 5;
    assert(i++ == 5 && i == 6 && ++i == 7 && i-- == 7 && --i == 5);
    int a[4] = { 10, 20, 30, 40 };
    int *p = a;
    assert(*p++ == 10 && *p == 20);
    assert(*++p == 30);
    assert(++*p == 31 && a[2] == 31);
    assert((*p)++ == 31 && a[2] == 32);
    assert(*--p == 20 && *p-- == 20 && p == a);
    struct s s = { 1, a };
    assert(s.n++ == 1 && ++s.n == 3 && *s.p++ == 10 && *s.p == 20);
    struct s *sp = &s;
    assert(++sp->n == 4 && sp->n-- == 4 && (*sp).n == 3);
    int **pp = &p;
    ++*pp;
    assert(p == a + 1);
    assert(-i-- == -5 && i == 4);
    char c = 127;
    c++;
    assert(c == -128);
    unsigned long z = 0;
    z--;
    assert(z == ~0ul);
    return 0;
}
