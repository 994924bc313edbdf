//@ run: verify --memory sc
//@ expect: holds
// A range label over nearly all numbers, and labels at both ends of int.
#include <assert.h>

static int kind(long n)
{
    switch (n) {
    case 0 ... 0x7fffffffffffffff: return 1;
    case -0x7fffffffffffffff - 1 ... -1: return -1;
    }
    return 0;
}

static int edge(int n)
{
    switch (n) {
    case -2147483647 - 1: return 1;
    case 2147483647: return 2;
    case 0x80: return 3;
    default: return 0;
    }
}

int main(void)
{
    assert(kind(5) == 1 && kind(0) == 1 && kind(-5) == -1 && kind(-0x7fffffffffffffff - 1) == -1);
    assert(edge(-2147483647 - 1) == 1 && edge(2147483647) == 2 && edge(128) == 3 && edge(0) == 0);
    return 0;
}
