//@ run: verify --memory sc
//@ expect: error line=4
// No such header.
#include <no_such_header_anywhere.h>

int main(void)
{
    return 0;
}
