//@ run: verify --memory sc
//@ expect: holds
// String literals: concatenation, escapes, sharing of type, embedded zero.
#include <assert.h>
#include <string.h>

static const char *greet = "hello, " "world";
static char edit[] = "abc" "def";

int main(void)
{
    assert(strlen(greet) == 12 && greet[7] == 'w');
    assert(sizeof edit == 7);
    edit[0] = 'A';
    assert(!strcmp(edit, "Abcdef"));
    assert("xyz"[1] == 'y' && *"q" == 'q' && ""[0] == 0);
    assert(sizeof "a\0b" == 4 && "a\0b"[2] == 'b' && strlen("a\0b") == 1);
    assert("\x41\102\n"[0] == 'A' && "\x41\102\n"[1] == 'B' && "\x41\102\n"[2] == 10);
    char local[8] = "hi";
    assert(local[1] == 'i' && local[2] == 0 && local[7] == 0);
    const char *p = "walk";
    int n = 0;
    while (*p++)
        n++;
    assert(n == 4);
    assert(!strcmp(__func__, "main"));
    return 0;
}
