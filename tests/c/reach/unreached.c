//@ run: verify --memory sc
//@ expect: holds stats.executions=1
// What no execution reaches may be anything that compiles.
#include <stdarg.h>
#include <stdio.h>

static int sum(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int total = 0;
    while (n-- > 0) total += va_arg(ap, int);
    va_end(ap);
    return total;
}

static unsigned long cycles(void)
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long)high << 32 | low;
}

static __int128 product(long a, long b) { return (__int128)a * b; }
static long double root(long double x) { return x / 2; }
extern int elsewhere(int);
static void *jump[] = { 0 };

static int all(int n)
{
    int a[n];
    a[0] = sum(2, 1, 2) + elsewhere(n) + (int)product(n, n) + (int)root(2);
    goto *jump[a[0]];
}

int main(int argc, char **argv)
{
    if (argc > 3) {
        int deep = 1;
        while (deep) {
            if (cycles() > 7) return all(argc);
            deep++;
        }
    }
    for (int i = 0; i < 3; i++) {
        switch (i) {
        case 7:
            __asm__("cpuid" ::: "eax");
            break;
        default:
            break;
        }
    }
    return argv == 0 ? 0 : argc;
}
