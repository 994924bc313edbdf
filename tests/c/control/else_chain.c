//@ run: verify --memory sc
//@ expect: holds
// A long else-if chain is not deep.
#include <assert.h>

#define E4(n) else if (x == n) r = n; else if (x == n + 1) r = n + 1; else if (x == n + 2) r = n + 2; \
              else if (x == n + 3) r = n + 3;
#define E16(n) E4(n) E4(n + 4) E4(n + 8) E4(n + 12)
#define E64(n) E16(n) E16(n + 16) E16(n + 32) E16(n + 48)
#define E256(n) E64(n) E64(n + 64) E64(n + 128) E64(n + 192)

int main(void)
{
    for (int x = 0; x < 300; x += 37) {
        int r = -1;
        if (x < 0) r = 0;
        E256(0)
        E64(256)
        else r = -2;
        assert(r == x);
    }
    return 0;
}
