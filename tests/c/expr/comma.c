//@ run: verify --memory sc
//@ expect: holds
// The comma operator: left to right, value and type of the last.
#include <assert.h>

static int log_, n;
static int note(int d) { log_ = log_ * 10 + d; return d; }

int main(void)
{
    int x = (note(1), note(2), note(3));
    assert(x == 3 && log_ == 123);
    int i, j;
    for (i = 0, j = 10; i < j; i++, j -= 2)
        n++;
    assert(i == 4 && j == 2 && n == 4);
    int a[2] = { (1, 2), 3 };
    assert(a[0] == 2 && a[1] == 3);
    assert(sizeof((char)1, (short)2) == 2);
    x = 1, x += 5, x *= 2;
    assert(x == 12);
    int y = x > 3 ? (x--, x) : (x++, x);
    assert(y == 11);
    while (x--, x > 4)
        ;
    assert(x == 4);
    return 0;
}
