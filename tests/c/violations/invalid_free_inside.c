//@ run: verify --memory sc
//@ expect: violated witness.kind=invalid-free
// Freeing a pointer into the middle of a block.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(8);
    p++;
    free(p);
    return 0;
}
