//@ run: verify --memory sc
//@ expect: violated witness.kind=double-free
// Freed twice, through two names.
#include <stdlib.h>

int main(void)
{
    char *a = malloc(8), *b = a;
    free(a);
    free(b);
    return 0;
}
