//@ run: verify --memory sc
//@ expect: holds
// Functions that run before main, in the order of their definitions.
#include <assert.h>

static int n = 1;
__attribute__((constructor)) static void first(void) { n = 10 * n + 2; }
static void second(void) __attribute__((constructor));
static void second(void) { n = 10 * n + 3; }

int plain(int x) { return x + 1; }
extern __typeof(plain) other __attribute__((weak, alias("plain")));

int main(void)
{
    assert(n == 123 && other(1) == 2);
    return 0;
}
