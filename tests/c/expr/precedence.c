//@ run: verify --memory sc
//@ expect: holds
// Operator precedence and associativity.
#include <assert.h>

int main(void)
{
    int a = 2, b = 3, c = 4;
    assert(a + b * c == 14 && (a + b) * c == 20);
    assert(20 - 5 - 3 == 12 && 100 / 5 / 2 == 10 && 100 / 5 * 2 == 40);
    assert(1 << 2 + 1 == 8);
    assert((a < b < c) == 1 && (c > b > a) == 0);
    assert(-a + b == 1 && - -a == 2 && !a + 1 == 1 && ~a & 3 == 3 == 1);
    assert((a == 2 && b == 3 || c == 0) == 1);
    assert((1 ? 0 : 1 ? 5 : 6) == 0);
    int *p = &a;
    assert(*p * *p == 4 && a * -b == -6);
    assert(sizeof(int) * 2 == 8 && sizeof a + 1 == 5);
    int m[2][2] = { { 1, 2 }, { 3, 4 } };
    assert(*m[1] == 3 && (*m)[1] == 2 && **(m + 1) == 3);
    assert(a+++b == 5 && a == 3);
    assert((a & 1) == 1 && (a & 2 | 4) == 6);
    return 0;
}
