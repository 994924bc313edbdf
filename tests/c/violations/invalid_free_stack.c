//@ run: verify --memory sc
//@ expect: violated witness.kind=invalid-free
// Freeing a local variable.
#include <stdlib.h>

int main(void)
{
    int x = 1, *p = &x;
    free(p);
    return x;
}
