//@ run: verify --memory sc
//@ expect: violated witness.kind=uninitialised
//@ run: verify --memory sc -DPLAIN
//@ expect: violated witness.kind=uninitialised
//@ run: verify --memory sc -DSECOND
//@ expect: violated witness.kind=uninitialised
//@ run: verify --memory sc -DTAKEN -DSECOND
//@ expect: violated witness.kind=uninitialised
//@ run: verify --memory sc -DASSIGNED -DSECOND
//@ expect: holds
// A case label past a declaration: the local exists there, without a value, also in the second
// passage when it got one in the first.
#include <assert.h>

static int f(int k)
{
    switch (k) {
#ifdef PLAIN
        int x;
#else
        int x = 5;
#endif
    case 0:
        x = 4;
        break;
    case 1:
#ifdef ASSIGNED
        x = 0;
#endif
#ifdef TAKEN
        return *&x;
#endif
        return x;
    }
    return 0;
}

int main(void)
{
    int n = 2, sum = 0;
#ifdef SECOND
    for (int k = 0; k < n; k++)
        switch (k) {
            int y = 5;
#ifdef TAKEN
            int *q = &y;
#endif
        default:
            y = 4;
            break;
        case 1:
#ifdef ASSIGNED
            y = 1;
#endif
            sum += y;
        }
#else
    assert(f(0) == 0);
    assert(f(1) == 0);
#endif
    return sum != 1 && n == 3;
}
