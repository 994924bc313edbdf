//@ run: verify --memory sc
//@ expect: holds
// Prototypes, K&R-style empty lists, inline, noreturn, unnamed parameters, attributes.
#include <assert.h>
#include <stdlib.h>

int twice(int);
static inline int half(int x) { return x / 2; }
extern inline __attribute__((gnu_inline)) int quarter(int x) { return x / 4; }
_Noreturn static void die(void) { abort(); }
__attribute__((noinline, unused)) static int ignored(int x __attribute__((unused))) { return 4; }
static int none() { return 6; }
static int array_param(int n, int a[static 2]) { return a[n - 1]; }
static void out(int *r) { *r = 3; }
static const int *addr(const int *p) { return p; }
static char narrow(int x) { return x; }
static unsigned char param(unsigned char c) { return c; }

int main(void)
{
    int r, a[2] = { 8, 9 };
    if (0)
        die();
    out(&r);
    assert(r == 3 && twice(r) == 6 && half(9) == 4 && ignored(1) == 4 && none() == 6);
    assert(array_param(2, a) == 9 && *addr(a) == 8);
    assert(narrow(300) == 44);            /* converted on return */
    assert(param(300) == 44);             /* converted on call */
    int twice(int);                       /* a declaration in a block */
    assert(twice(4) == 8);
    (void)twice(1);
    return 0;
}

int twice(int x) { return 2 * x; }
