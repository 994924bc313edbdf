//@ run: verify --memory sc
//@ expect: holds
// Pointers to pointers, to arrays and to members; swapping through them.
#include <assert.h>

struct s { int a; int *p; int **pp; };

static void swap(int **x, int **y) { int *t = *x; *x = *y; *y = t; }
static void set(int ***ppp, int v) { ***ppp = v; }

int main(void)
{
    int u = 1, v = 2, *p = &u, *q = &v, **pp = &p;
    swap(&p, &q);
    assert(*p == 2 && *q == 1 && **pp == 2);
    *pp = &u;
    assert(*p == 1);
    set(&pp, 9);
    assert(u == 9);
    struct s s = { 3, &s.a, &s.p };
    **s.pp = 4;
    assert(s.a == 4);
    *s.pp = &v;
    assert(*s.p == 2);
    int *tab[3] = { &u, &v, &s.a }, **cur = tab;
    int sum = 0;
    for (; cur < tab + 3; cur++)
        sum += **cur;
    assert(sum == 9 + 2 + 4 && cur - tab == 3);
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, (*row)[3] = m;
    row++;
    assert((*row)[2] == 6 && row[-1][0] == 1 && *row[0] == 4);
    int *const *cp = tab + 1;
    assert(**cp == 2);
    return 0;
}
