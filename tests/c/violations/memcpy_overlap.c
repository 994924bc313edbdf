//@ run: verify
//@ expect: violated witness.kind=invalid-pointer
// memmove may overlap, memcpy may not.
#include <assert.h>
#include <string.h>

int main(void)
{
    int a[5] = {1, 2, 3, 4, 5};
    memmove(a + 1, a, 4 * sizeof *a);
    assert(a[1] == 1 && a[4] == 4);
    memcpy(a, a + 3, 2 * sizeof *a);
    memcpy(a, a + 1, 2 * sizeof *a);
    return 0;
}
