//@ run: verify --memory sc
//@ expect: holds
// Side effects in operands happen once, in calls, subscripts and assignments to members.
#include <assert.h>

struct s { int v[3]; int n; };
static int calls;
static struct s pool[2];
static struct s *pick(int i) { calls++; return &pool[i]; }

int main(void)
{
    pick(0)->n += 5;
    assert(calls == 1 && pool[0].n == 5);
    pick(1)->v[2]++;
    assert(calls == 2 && pool[1].v[2] == 1);
    pick(1)->v[pick(0)->n - 3] <<= 3;
    assert(calls == 4 && pool[1].v[2] == 8);
    (*pick(0)).n = pick(1)->v[2] ? 1 : 2;
    assert(calls == 6 && pool[0].n == 1);
    int i = 0, a[3] = { 0 };
    a[i++] = 7;
    a[i++] |= 4;
    assert(i == 2 && a[0] == 7 && a[1] == 4);
    int *p = a;
    *p++ += 1;
    *p++ ^= 6;
    assert(a[0] == 8 && a[1] == 2 && p == a + 2);
    return 0;
}
