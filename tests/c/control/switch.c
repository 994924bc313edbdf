//@ run: verify --memory sc
//@ expect: holds
// switch: fallthrough, default in the middle, no match, ranges, nesting, negative labels.
#include <assert.h>

static int f(int k)
{
    int r = 0;
    switch (k) {
    case 1:
        r += 1;
        /* fall through */
    case 2:
        r += 10;
        break;
    default:
        r = 100;
        /* fall through */
    case 3:
        r += 1000;
        break;
    case -5:
        r = -1;
    }
    return r;
}

static int range(int c)
{
    switch (c) {
    case '0' ... '9': return c - '0';
    case 'a' ... 'f': return c - 'a' + 10;
    case 'A' ... 'F': return c - 'A' + 10;
    }
    return -1;
}

static int nested(int a, int b)
{
    switch (a) {
    case 0:
        switch (b) {
        case 0: return 1;
        case 1: break;              /* leaves the inner one only */
        default: return 3;
        }
        return 2;
    case 1:
        for (int i = 0;; i++) {
            switch (i) {
            case 3: return i + b;
            default: continue;      /* belongs to the loop */
            }
        }
    }
    return 0;
}

int main(void)
{
    assert(f(1) == 11 && f(2) == 10 && f(3) == 1000 && f(9) == 1100 && f(-5) == -1);
    assert(range('7') == 7 && range('e') == 14 && range('B') == 11 && range('g') == -1);
    assert(nested(0, 0) == 1 && nested(0, 1) == 2 && nested(0, 7) == 3 && nested(1, 4) == 7 && nested(2, 0) == 0);
    int n = 0;
    switch (5) { case 6: n = 1; }
    assert(n == 0);
    switch (3u)
    case 3: n = 2;
    assert(n == 2);
    unsigned char c = 255;
    switch (c) { case 255: n = 3; break; default: n = 4; }
    assert(n == 3);
    switch (1LL << 40) { case 1LL << 40: n = 5; }
    assert(n == 5);
    switch (n) { int hidden; case 5: hidden = 6; n = hidden; }
    assert(n == 6);
    return 0;
}
