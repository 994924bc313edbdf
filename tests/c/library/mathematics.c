//@ run: verify --memory sc
//@ expect: holds stats.executions=1
// What <math.h> determines to the last bit.
#include <assert.h>
#include <float.h>
#include <math.h>

int main(void)
{
    assert(sqrt(2) * sqrt(2) != 2 && sqrt(16) == 4 && sqrtf(2) == 1.41421354f);
    assert(floor(-1.5) == -2 && ceil(-1.5) == -1 && trunc(-1.5) == -1 && round(-1.5) == -2 && round(2.5) == 3);
    assert(floor(1e300) == 1e300 && floor(-0.0) == 0 && lround(1.4999) == 1);
    assert(fabs(-2.5) == 2.5 && fmax(1, 2) == 2 && fmin(1, 2) == 1);
    assert(isnan(NAN) && !isnan(INFINITY) && isinf(-INFINITY) && signbit(-0.0) && DBL_EPSILON + 1 > 1);
    static const double pi = M_PI, largest = HUGE_VAL;
    assert(pi > 3.14 && largest > DBL_MAX);
    return 0;
}
