//@ run: verify --memory sc
//@ expect: holds
// for, while, do; break and continue in each; empty clauses; declarations in for.
#include <assert.h>

int main(void)
{
    int n = 0, i;
    for (i = 0; i < 10; i++) {
        if (i % 2)
            continue;
        if (i == 8)
            break;
        n += i;
    }
    assert(n == 12 && i == 8);
    n = 0;
    while (n < 5)
        n++;
    assert(n == 5);
    do {
        n--;
        if (n == 3)
            continue;            /* goes to the test */
        if (n == 1)
            break;
    } while (n > 0);
    assert(n == 1);
    do
        n = 50;
    while (0);
    assert(n == 50);
    for (;;) {
        if (--n < 40)
            break;
    }
    assert(n == 39);
    n = 0;
    for (int a = 0; a < 4; a++)
        for (int b = a; b < 4; b++) {
            if (b == 2)
                break;
            n++;
        }
    assert(n == 4);
    for (unsigned k = 3; k-- > 0;)
        n += k;
    assert(n == 7);
    i = 0;
    while (i++ < 3) {
        int fresh = 0;
        fresh++;
        assert(fresh == 1);
    }
    assert(i == 4);
    for (int x = 0, *p = &x; *p < 3; ++*p)
        n++;
    assert(n == 10);
    return 0;
}
