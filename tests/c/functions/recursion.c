//@ run: verify --memory sc
//@ expect: holds
// Recursion: direct, mutual, with arrays on the stack, Ackermann.
#include <assert.h>

static unsigned fact(unsigned n) { return n ? n * fact(n - 1) : 1; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int odd(int n);
static int even(int n) { return n ? odd(n - 1) : 1; }
static int odd(int n) { return n ? even(n - 1) : 0; }
static int ack(int m, int n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

static int perms(int *a, int k, int n)
{
    if (k == n)
        return 1;
    int count = 0;
    for (int i = k; i < n; i++) {
        int t = a[k]; a[k] = a[i]; a[i] = t;
        count += perms(a, k + 1, n);
        t = a[k]; a[k] = a[i]; a[i] = t;
    }
    return count;
}

static int deep(int n, int *up)
{
    int here = n;
    int seen = up ? *up : 0;
    return n ? deep(n - 1, &here) + seen : seen;
}

int main(void)
{
    assert(fact(10) == 3628800 && fact(0) == 1);
    assert(fib(12) == 144);
    assert(even(10) && odd(7) && !even(3));
    assert(ack(2, 3) == 9);
    assert(gcd(84, 36) == 12);
    int a[] = { 1, 2, 3, 4 };
    assert(perms(a, 0, 4) == 24 && a[0] == 1 && a[3] == 4);
    assert(deep(5, 0) == 1 + 2 + 3 + 4 + 5);
    return 0;
}
