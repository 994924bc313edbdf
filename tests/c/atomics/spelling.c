//@ run: verify --memory sc
//@ expect: holds
// _Atomic as qualifier and as specifier, on scalars, pointers, members, arrays and typedefs.
#include <assert.h>
#include <stdatomic.h>

_Atomic int a;
_Atomic(long) b = 5;
int _Atomic c = ATOMIC_VAR_INIT(7);
typedef _Atomic(unsigned char) byte;
struct s { _Atomic int n; _Atomic(struct s *) next; byte flags[3]; };
static int *_Atomic ptr;              /* an atomic pointer */
static _Atomic int *to_atomic = &a;   /* a pointer to an atomic */
_Atomic enum { OFF, ON } state;

int main(void)
{
    struct s s = { 1, 0, { 1, 2, 3 } };
    int x = 3;
    a = 4;
    assert(a == 4 && b == 5 && c == 7);
    a += 3;
    assert(a++ == 7 && ++a == 9 && a-- == 9 && --a == 7);
    a <<= 2; a |= 1; a ^= 8; a &= 0x3f; a %= 20;
    assert(a == (((7 << 2 | 1) ^ 8) & 0x3f) % 20);
    a = 6; a *= 7; a /= 4; a -= 1; a >>= 1;
    assert(a == 4);
    s.next = &s;
    assert(s.next->n == 1 && s.next->next->flags[2] == 3);
    s.flags[0] += 255;
    assert(s.flags[0] == 0);
    ptr = &x;
    assert(*ptr == 3);
    (*ptr)++;
    assert(x == 4);
    *to_atomic = 11;
    assert(a == 11 && (*to_atomic)++ == 11);
    state = ON;
    assert(state == ON);
    int copy = a;
    assert(copy == 12 && (a = 3) == 3 && sizeof a == sizeof(int));
    return 0;
}
