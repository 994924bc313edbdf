//@ run: verify --memory sc
//@ expect: holds
// main may take arguments; falling off its end returns zero; exit codes other than 0 are no error.
#include <assert.h>

static int count;

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 100)
        return 3;
    count++;
    assert(count == 1);
}
