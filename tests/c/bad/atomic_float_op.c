//@ run: verify --memory sc
//@ expect: error line=10
// fetch_add on a struct.
#include <stdatomic.h>

static _Atomic(struct { int a; }) s;

int main(void)
{
    atomic_fetch_add(&s, 1);
    return 0;
}
