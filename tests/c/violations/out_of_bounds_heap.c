//@ run: verify --memory sc
//@ expect: violated witness.kind=out-of-bounds
// Room for the characters but not for the final zero.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *s = "four";
    char *c = malloc(strlen(s));
    strcpy(c, s);
    free(c);
    return 0;
}
