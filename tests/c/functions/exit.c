//@ run: verify --memory sc
//@ expect: holds
// exit ends the program at once, without running what follows.
#include <assert.h>
#include <stdlib.h>

static void leave(int code)
{
    exit(code);
}

int main(void)
{
    leave(EXIT_SUCCESS);
    assert(0);
}
