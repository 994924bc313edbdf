//@ run: verify --memory sc
//@ expect: violated witness.kind=invalid-free
// Freeing a global.
#include <stdlib.h>

static int g[4];

int main(void)
{
    free(g);
    return 0;
}
