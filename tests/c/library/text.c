//@ run: verify --memory sc
//@ expect: holds stats.executions=1
// snprintf with a format that is known.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[32];
    assert(snprintf(s, sizeof s, "%d %u %s", -5, 7u, "x") == 6 && strcmp(s, "-5 7 x") == 0);
    assert(snprintf(s, 4, "%s", "truncated") == 9 && strcmp(s, "tru") == 0);
    assert(snprintf(s, sizeof s, "%5d|%-4d|%04d", 42, 7, -3) == 15 && strcmp(s, "   42|7   |-003") == 0);
    assert(snprintf(s, sizeof s, "%x %X %#x %o", 255, 255, 16, 8) == 13 && strcmp(s, "ff FF 0x10 10") == 0);
    assert(snprintf(s, sizeof s, "%lu %zu %ld", ~0ul, (size_t)3, -1l) == 25);
    assert(strcmp(s, "18446744073709551615 3 -1") == 0);
    assert(snprintf(s, sizeof s, "%c%%%.2s%+d", 'a', "bcd", 1) == 6 && strcmp(s, "a%bc+1") == 0);
    assert(snprintf(s, sizeof s, "%.3d %hhu %d", 7, (unsigned char)255, 0) == 9 && strcmp(s, "007 255 0") == 0);
    assert(sprintf(s, "n%d", -2147483647 - 1) == 12 && strcmp(s, "n-2147483648") == 0);
    assert(snprintf(s, 0, "%d", 12345) == 5);
    return 0;
}
