//@ run: verify --memory sc
//@ expect: violated witness.kind=assertion witness.steps[0].what="n = 18446744073709551615" witness.steps[1].what="f = twice" witness.steps[2].what="u.half[0] = 7" witness.steps[4].what="v.half[1] = 2" witness.steps[5].what="allocate node#1 (16 bytes)" witness.steps[6].what="node#1.value = 3"
// Unsigned numbers, functions, members of unions, and blocks of allocators of one's own.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
static size_t n;
static int (*f)(int);
static union { unsigned long word; unsigned half[2]; } u, v;

static int twice(int x) { return 2 * x; }
static void *get(size_t size) { return malloc(size); }

int main(void)
{
    n = (size_t)-1;
    f = twice;
    u.word = 7;
    v.half[1] = 2;
    struct node *p = get(sizeof *p);
    p->value = 3;
    assert(n == 0);
    return 0;
}
