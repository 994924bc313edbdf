//@ run: verify --memory sc
//@ expect: holds
// Casts between integers, pointers and function pointers.
#include <assert.h>
#include <stdint.h>

static int f(int x) { return x + 1; }

int main(void)
{
    int x = 258;
    assert((char)x == 2 && (unsigned char)511 == 255 && (short)65537 == 1);
    assert((unsigned)-1 == 0xffffffff && (int)3000000000u == -1294967296);
    uintptr_t u = (uintptr_t)&x;
    assert(*(int *)u == 258);
    *(int *)(void *)u = 9;
    assert(x == 9);
    intptr_t i = (intptr_t)&x;
    assert((int *)i == &x && (uintptr_t)i == u);
    int (*g)(int) = f;
    void (*any)(void) = (void (*)(void))g;
    assert(((int (*)(int))any)(4) == 5);
    uintptr_t code = (uintptr_t)f;
    assert(((int (*)(int))code)(1) == 2);
    void *small = (void *)(intptr_t)42;       /* a small number travelling as a pointer */
    assert((int)(intptr_t)small == 42 && small != 0);
    const int k = 3;
    assert(*(const int *)(const void *)&k == 3);
    (void)x;
    long l = (long)(int)0x80000000u;
    assert(l == -2147483648L);
    return 0;
}
