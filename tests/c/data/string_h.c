//@ run: verify --memory sc
//@ expect: holds
// <string.h>: lengths, comparisons, copies, searches.
#include <assert.h>
#include <string.h>

int main(void)
{
    char b[16];
    assert(strlen("") == 0 && strlen("four") == 4);
    assert(strcmp("a", "a") == 0 && strcmp("a", "b") < 0 && strcmp("b", "a") > 0);
    assert(strcmp("ab", "abc") < 0 && strcmp("\xff", "a") > 0);      /* compared as unsigned char */
    assert(strncmp("abcx", "abcy", 3) == 0 && strncmp("abcx", "abcy", 4) < 0);
    assert(strcpy(b, "one") == b && !strcmp(b, "one"));
    assert(strcat(b, "two") == b && !strcmp(b, "onetwo"));
    strncpy(b, "xy", 4);
    assert(b[0] == 'x' && b[2] == 0 && b[3] == 0 && b[4] == 'w');
    assert(strchr("hello", 'l') != 0 && strchr("hello", 'z') == 0);
    const char *s = "a/b/c";
    assert(strchr(s, '/') == s + 1 && strrchr(s, '/') == s + 3);
    memset(b, 7, sizeof b);
    assert(b[0] == 7 && b[15] == 7);
    memcpy(b + 2, "zz", 2);
    assert(b[1] == 7 && b[2] == 'z' && b[4] == 7);
    assert(memcmp("abc", "abd", 2) == 0 && memcmp("abc", "abd", 3) < 0);
    return 0;
}
