//@ run: verify --memory sc
//@ expect: holds
// Every compound assignment, also where the right side is wider than the left.
#include <assert.h>

int main(void)
{
    int a = 17;
    a += 5; assert(a == 22);
    a -= 2; assert(a == 20);
    a *= 3; assert(a == 60);
    a /= 7; assert(a == 8);
    a %= 5; assert(a == 3);
    a <<= 4; assert(a == 48);
    a >>= 1; assert(a == 24);
    a &= 0x1c; assert(a == 24);
    a |= 3; assert(a == 27);
    a ^= 0xff; assert(a == 228);

    unsigned char c = 200;
    c += 1000; assert(c == 176);
    c *= 3; assert(c == 16);
    c -= 17; assert(c == 255);
    c /= 2u; assert(c == 127);
    short s = -3;
    s *= 1L << 20; assert(s == 0);
    unsigned u = 5;
    u -= 6; assert(u == 4294967295u);
    u %= 10; assert(u == 5);
    int i = -7;
    i /= 2; assert(i == -3);
    i = -7;
    i %= 4; assert(i == -3);
    i = -8;
    i >>= 1; assert(i == -4);
    i = -1;
    i /= 2u; assert(i == 2147483647);      /* computed unsigned */
    int x, y, z;
    x = y = z = 4;
    x += y *= z -= 1;
    assert(x == 16 && y == 12 && z == 3);
    int arr[3] = { 1, 2, 3 }, k = 0;
    arr[k++] += 10;                        /* the index is evaluated once */
    assert(k == 1 && arr[0] == 11 && arr[1] == 2);
    return 0;
}
