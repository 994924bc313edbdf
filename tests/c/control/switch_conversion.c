//@ run: verify --memory sc
//@ expect: holds
// The subject is promoted, the labels are converted to its type.
#include <assert.h>

static int narrow(unsigned char c)
{
    switch (c) {
    case 255: return 1;
    case -1: return 2;           /* int -1: never equal to a promoted unsigned char */
    }
    return 0;
}

static int wide(unsigned u)
{
    switch (u) {
    case -1: return 1;           /* converted to UINT_MAX */
    case 0x100000000 + 7: return 2; /* converted to 7 */
    }
    return 0;
}

int main(void)
{
    assert(narrow(255) == 1 && narrow(0) == 0);
    assert(wide(~0u) == 1 && wide(7) == 2 && wide(1) == 0);
    _Bool b = 1;
    switch (b) { case 1: return 0; default: assert(0); }
}
