//@ run: verify --memory sc
//@ expect: violated witness.kind=invalid-pointer
// A number that never was an address.
#include <stdint.h>

int main(void)
{
    int *p = (int *)(uintptr_t)0x123456789000;
    return *p;
}
