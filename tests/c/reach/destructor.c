//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion witness.at.line=11
// What is left to do when the process ends: handlers, then destructors, the last first.
#include <assert.h>
#include <stdlib.h>

static int n;
__attribute__((destructor)) static void last(void)
{
    assert(n == 12);
    assert(!"reached");
}
__attribute__((destructor)) static void before(void) { n = 10 * n + 2; }
static void handler(void) { n = 1; }

int main(void)
{
    atexit(handler);
    exit(0);
}
