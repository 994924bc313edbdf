//@ run: verify --memory sc
//@ expect: error line=7
// An atomic struct of more than sixteen bytes.
#include <stdatomic.h>

struct big { long v[3]; };
static _Atomic(struct big) shared;

int main(void)
{
    struct big b = atomic_load(&shared);
    return (int)b.v[0];
}
