//@ run: verify --memory sc
//@ expect: violated witness.kind=lock-misuse
// The same with C11 threads.
#include <threads.h>

int main(void)
{
    mtx_t m;
    mtx_init(&m, mtx_plain);
    mtx_unlock(&m);
    return 0;
}
