//@ run: verify --memory sc
//@ expect: holds
// Initialisers: missing values are zero, braces may be left out, strings fill arrays.
#include <assert.h>

struct s { int a; int b[2]; struct { char c; short d; } e; };

static struct s g = { 1, 2, 3, 4, 5 };
static int zeros[4];
static int part[5] = { 9 };
static struct s gs[2] = { { 1, { 2 }, { 3 } } };
static int m[2][3] = { 1, 2, 3, 4 };
static char text[] = "abc", exact[3] = "xyz", wide[6] = { "hi" };
static struct { int n; const char *s; } table[] = { { 1, "one" }, { 2, "two" }, { 0, 0 } };

int main(void)
{
    assert(g.a == 1 && g.b[0] == 2 && g.b[1] == 3 && g.e.c == 4 && g.e.d == 5);
    assert(!zeros[0] && !zeros[3] && part[0] == 9 && part[4] == 0);
    assert(gs[0].b[0] == 2 && gs[0].b[1] == 0 && gs[0].e.c == 3 && gs[1].a == 0);
    assert(m[0][2] == 3 && m[1][0] == 4 && m[1][2] == 0);
    assert(sizeof text == 4 && text[3] == 0 && exact[2] == 'z' && wide[2] == 0 && wide[5] == 0);
    int n = 0;
    while (table[n].s)
        n++;
    assert(n == 2 && sizeof table / sizeof *table == 3);
    struct s l = { 0 };
    assert(l.b[1] == 0 && l.e.d == 0);
    int k = 4, dyn[3] = { k, k + 1, k * k };
    assert(dyn[2] == 16);
    struct s copy = g, two[2] = { g, copy };
    assert(two[1].e.d == 5);
    struct s nested = { .e = { 1, 2 }, .a = 3 };
    assert(nested.e.d == 2 && nested.a == 3 && nested.b[0] == 0);
    int scalar = { 6 };
    assert(scalar == 6);
    return 0;
}
