//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// realloc ends the old block, even when growing seems to fit.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4), *q;
    *p = 1;
    q = realloc(p, 64);
    int r = *p;
    free(q);
    return r;
}
