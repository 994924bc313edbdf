//@ run: verify --memory sc
//@ expect: holds
// More labels in a row than anybody nests statements.
#include <assert.h>

#define L4(n) case n: case n + 1: case n + 2: case n + 3:
#define L16(n) L4(n) L4(n + 4) L4(n + 8) L4(n + 12)
#define L64(n) L16(n) L16(n + 16) L16(n + 32) L16(n + 48)
#define L256(n) L64(n) L64(n + 64) L64(n + 128) L64(n + 192)

static int small(int n)
{
    switch (n) {
    L256(0) L64(256) return 1;
    }
    return 0;
}

int main(void)
{
    assert(small(0) && small(255) && small(319) && !small(320) && !small(-1));
    return 0;
}
