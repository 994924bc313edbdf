//@ run: verify
//@ expect: violated witness.kind=uninitialised
//@ run: verify --memory sc
//@ expect: violated witness.kind=uninitialised
//@ from: found by mutation: the witness led to a block whose cells the search had not seen in use
#include <stdlib.h>
int main(void)
{
    char *a = malloc(4), *b = malloc(4);
    return a[0] + b[0];
}
