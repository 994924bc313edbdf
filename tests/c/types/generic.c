//@ run: verify --memory sc
//@ expect: holds
// _Generic selects by type, after lvalue conversion; only the chosen branch is evaluated.
#include <assert.h>

#define KIND(x) _Generic((x), \
    _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned short: 6, \
    int: 7, unsigned: 8, long: 9, unsigned long: 10, \
    char *: 20, const char *: 21, int *: 22, void *: 23, struct s *: 24, \
    int (*)(int): 30, default: 99)

struct s { int x; };
static int twice(int x) { return 2 * x; }
static long thrice(long x) { return 3 * x; }
#define APPLY(x) _Generic((x), int: twice, long: thrice)(x)

int main(void)
{
    char c = 0;
    const int k = 1;
    short h = 1;
    int arr[3] = { 0 };
    struct s s = { 4 }, *sp = &s;
    int evaluated = 0;

    assert(KIND(c) == 2 && KIND(k) == 7 && KIND(h) == 5 && KIND(h + h) == 7 && KIND(+c) == 7);
    assert(KIND((_Bool)1) == 1 && KIND((unsigned char)1) == 4 && KIND(1ul) == 10 && KIND(c ? h : 1l) == 9);
    assert(KIND("x") == 20 && KIND((const char *)"x") == 21 && KIND(arr) == 22);
    assert(KIND((void *)0) == 23 && KIND(&s) == 24 && KIND(sp) == 24 && KIND(sp->x) == 7);
    assert(KIND(twice) == 30 && KIND(&sp) == 99);
    assert(APPLY(5) == 10 && APPLY(5l) == 15);
    assert(_Generic(1, int: 0, default: (evaluated = 1)) == 0 && evaluated == 0);
    assert(_Generic(evaluated = 9, int: 3) == 3 && evaluated == 0);
    return 0;
}
