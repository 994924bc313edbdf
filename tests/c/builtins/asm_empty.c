//@ run: verify --memory sc
//@ expect: holds
// Empty assembly is a compiler barrier and has no effect here.
#include <assert.h>

int main(void)
{
    int x = 1;
    __asm__ volatile("" ::: "memory");
    asm volatile("" : : : "memory");
    __asm__("");
    assert(x == 1);
    return 0;
}
