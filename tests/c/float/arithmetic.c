//@ run: verify --memory sc
//@ expect: holds stats.executions=1
// float and double are IEEE 754: every operation is rounded once, in its own format.
#include <assert.h>
#include <string.h>

static double third = 1.0 / 3;
static float single = 16777216.0f;
static const double hex = 0x1.8p3;

static double half(double d) { return d / 2; }

int main(void)
{
    assert(third * 3 == 1.0);
    assert(0.1 + 0.2 != 0.3);
    assert(0.1f + 0.2f == 0.3f);
    assert(single + 1.0f == single);
    assert((double)single + 1 > single);
    assert(hex == 12);
    assert(half(3) == 1.5);
    int n = 2.5;
    assert(n == 2 && (int)-2.5 == -2);
    unsigned long bits;
    double minus = -0.0;
    memcpy(&bits, &minus, sizeof bits);
    assert(bits == 1ul << 63 && minus == 0 && !minus);
    float f = 7;
    f /= 2;
    f++;
    assert(f == 4.5f && f > 4 && 5 >= f);
    assert(sizeof(1.0f * 2) == 4 && sizeof(1.0f * 2.0) == 8);
    double big = 1e308;
    assert(big * 10 > big && 1 / (big * 10) == 0);
    assert((1 ? 1 : 2.5) == 1.0 && sizeof(1 ? 1 : 2.5) == 8);
    _Bool b = 0.25;
    assert(b == 1 && !!0.5 == 1 && (0.0 || 1e-300));
    long long wide = 9007199254740993;
    assert((double)wide == 9007199254740992.0);
    assert((float)16777217 == 16777216.0f);
    struct { char c; double d; float f; } s = { 1, 2.5, 1.5f }, t = s;
    assert(t.d + t.f == 4.0 && sizeof s == 24);
    return 0;
}
