//@ run: verify --memory sc
//@ expect: error line=6
// Defining a function with a variable number of arguments.
#include <stdarg.h>

static int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n--)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

int main(void)
{
    return sum(2, 1, -1);
}
