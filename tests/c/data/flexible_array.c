//@ run: verify --memory sc
//@ expect: holds
// A flexible array member, sized at run time by malloc.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct buf { int len; short at[]; };

int main(void)
{
    struct buf *b = malloc(sizeof *b + 6 * sizeof b->at[0]);
    b->len = 6;
    for (int i = 0; i < b->len; i++)
        b->at[i] = i * 3;
    assert(sizeof *b == 4 && offsetof(struct buf, at) == 4);
    assert(b->at[5] == 15);
    short *end = b->at + b->len;
    assert(end[-1] == 15 && end - b->at == 6);
    free(b);
    return 0;
}
