//@ run: verify --memory sc
//@ expect: violated witness.kind=uninitialised
// malloc does not clear.
#include <stdlib.h>

int main(void)
{
    int *a = malloc(2 * sizeof *a);
    a[0] = 1;
    int r = a[1];
    free(a);
    return r;
}
