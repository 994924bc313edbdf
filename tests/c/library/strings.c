//@ run: verify --memory sc
//@ expect: holds stats.executions=1
// <string.h> and <strings.h>; what cc runs, too.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char room[16] = "abc", *rest;
    assert(strlen("four") == 4 && strnlen("four", 2) == 2);
    assert(strcmp("a", "b") < 0 && strncmp("abc", "abd", 2) == 0 && strcasecmp("aBc", "AbC") == 0);
    assert(strncasecmp("abX", "ABy", 2) == 0 && strncasecmp("abX", "ABy", 3) < 0);
    assert(strcat(room, "de") == room && strcmp(room, "abcde") == 0);
    strncat(room, "fgh", 2);
    assert(strcmp(room, "abcdefg") == 0);
    assert(strchr(room, 'c') == room + 2 && strrchr("abab", 'a')[1] == 'b' && !strchr(room, 'x'));
    assert(strstr(room, "def") == room + 3 && !strstr(room, "dd"));
    assert(strspn("aabc", "ab") == 3 && strcspn("xyz,", ",;") == 3 && strpbrk("k=v", "=")[1] == 'v');
    char list[] = ";one;;two";
    assert(strcmp(strtok_r(list, ";", &rest), "one") == 0 && strcmp(strtok_r(0, ";", &rest), "two") == 0);
    assert(!strtok_r(0, ";", &rest));
    assert(stpcpy(room, "xy") == room + 2);
    memset(room, 'z', 3);
    assert(memcmp(room, "zzz", 3) == 0 && memchr(room, 0, 16) == room + 7 && memrchr(room, 'z', 4) == room + 2);
    char *copy = strdup("copy"), *part = strndup("partial", 4);
    assert(strcmp(copy, "copy") == 0 && strcmp(part, "part") == 0);
    free(copy);
    free(part);
    bzero(room, 4);
    assert(room[0] == 0 && ffs(8) == 4 && ffsl(0) == 0);
    assert(mempcpy(room, "ab", 3) == room + 3);
    return 0;
}
