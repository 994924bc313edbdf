//@ run: verify --memory sc
//@ expect: holds stats.executions=1
// <stdlib.h>, <ctype.h> and the builtins that compute.
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    int a[] = { 5, 1, 4, 1, 3 }, key = 4, none = 2;
    qsort(a, 5, sizeof *a, by_value);
    assert(a[0] == 1 && a[1] == 1 && a[2] == 3 && a[3] == 4 && a[4] == 5);
    assert(bsearch(&key, a, 5, sizeof *a, by_value) == a + 3 && !bsearch(&none, a, 5, sizeof *a, by_value));
    char *end;
    assert(strtol(" -42x", &end, 10) == -42 && *end == 'x');
    assert(strtol("0x1fz", &end, 0) == 31 && *end == 'z' && strtol("017", 0, 0) == 15 && strtoul("zz", 0, 36) == 1295);
    errno = 0;
    assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
    assert(strtoll("-9223372036854775808", 0, 10) == LLONG_MIN && strtoul("-1", 0, 10) == ULONG_MAX);
    assert(strtol("none", &end, 10) == 0 && *end == 'n');
    assert(atoi("12") == 12 && atol("-7") == -7 && abs(-3) == 3);
    div_t d = div(-7, 2);
    assert(d.quot == -3 && d.rem == -1 && ldiv(9, 4).rem == 1);
    assert(isalpha('x') && !isalpha('1') && isxdigit('F') && ispunct('!') && isblank('\t') && toupper('q') == 'Q');
    assert(__builtin_ffs(0) == 0 && __builtin_ffsll(1ll << 40) == 41 && __builtin_clrsb(0) == 31);
    assert(__builtin_popcount(255) == 8 && __builtin_parityl(7) == 1 && __builtin_bswap32(1) == 0x1000000);
    assert(__atomic_always_lock_free(4, 0) && !__atomic_always_lock_free(3, 0));
    assert(__builtin_strlen("abc") == 3);
    struct { char c; int a[4]; } *s = 0;
    int i = (int)strtol("2", 0, 10);
    assert(__builtin_offsetof(__typeof__(*s), a[i]) == 12);
    return 0;
}
