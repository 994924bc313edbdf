//@ run: verify --memory sc
//@ expect: holds
// Integer promotions: everything narrower than int becomes int before arithmetic.
#include <assert.h>

int main(void)
{
    unsigned char uc = 200, ud = 100;
    signed char sc = -1;
    unsigned short us = 65535;
    _Bool b = 1;

    assert(uc + ud == 300);              /* no wrap at 256 */
    assert((unsigned char)(uc + ud) == 44);
    assert(sc < uc);                     /* both int: -1 < 200 */
    assert(~uc == -201);
    assert(-us == -65535);
    assert((us << 1) == 131070);
    assert(b + b == 2);
    assert(-b == -1);
    assert(!uc == 0);
    assert(sizeof(uc + ud) == sizeof(int));
    assert(sizeof(+us) == sizeof(int));
    assert(sizeof(b << 1) == sizeof(int));
    assert(sizeof(uc) == 1 && sizeof(uc++) == 1);
    assert((uc >> 1) == 100);
    assert((sc >> 1) == -1);
    uc += 100;                           /* computed as int, stored modulo 256 */
    assert(uc == 44);
    sc -= 127;
    assert(sc == -128);
    sc = (signed char)(sc - 1);
    assert(sc == 127);
    return 0;
}
