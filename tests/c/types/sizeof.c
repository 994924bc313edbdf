//@ run: verify --memory sc
//@ expect: holds
// sizeof does not evaluate its operand, and keeps arrays from decaying.
#include <assert.h>

static int calls;
static long touch(void) { calls++; return 1; }

struct s { char a[3]; short b; };

int main(void)
{
    int a[4][5];
    int *p = a[0];
    int i = 0;

    assert(sizeof a == 80 && sizeof a[0] == 20 && sizeof a[0][0] == 4 && sizeof *a == 20);
    assert(sizeof p == 8 && sizeof *p == 4 && sizeof &a == 8 && sizeof(a + 0) == 8);
    assert(sizeof touch() == 8 && calls == 0);
    assert(sizeof(i++) == 4 && i == 0);
    assert(sizeof "hello" == 6 && sizeof("a" "bc") == 4);
    assert(sizeof(struct s) == 6 && sizeof((struct s *)0)->a == 3);
    assert(sizeof(int[7]) == 28 && sizeof(int (*)[7]) == 8);
    assert(sizeof 'a' == 4 && sizeof(char) == 1);
    assert(sizeof(union { int i; char c[9]; }) == 12);
    assert(sizeof a / sizeof *a == 4);
    assert(sizeof(char) - 2 > 0);             /* size_t is unsigned */
    (void)p;
    return 0;
}
