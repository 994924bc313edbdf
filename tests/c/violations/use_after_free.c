//@ run: verify --memory sc
//@ expect: violated witness.kind=use-after-free
// Read of a freed block, no threads.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 3;
    free(p);
    return *p;
}
