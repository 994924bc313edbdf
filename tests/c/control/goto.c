//@ run: verify --memory sc
//@ expect: holds
// goto: forwards, backwards, out of nested loops, into a block; the classic clean-up ladder.
#include <assert.h>
#include <stdlib.h>

static int freed;
static int work(int fail_at)
{
    int rc = -1;
    char *a = 0, *b = 0;
    if (fail_at == 1)
        goto out;
    a = malloc(4);
    if (fail_at == 2)
        goto out_a;
    b = malloc(4);
    a[0] = b[0] = 1;
    rc = a[0] + b[0];
    free(b);
    freed++;
out_a:
    free(a);
    freed++;
out:
    return rc;
}

int main(void)
{
    assert(work(1) == -1 && freed == 0);
    assert(work(2) == -1 && freed == 1);
    assert(work(0) == 2 && freed == 3);
    int i = 0, n = 0;
again:
    n += i;
    if (++i < 5)
        goto again;
    assert(n == 10);
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            if (a * b == 6) {
                n = a * 10 + b;
                goto found;
            }
    n = -1;
found:
    assert(n == 23);
    goto inside;
    while (n < 100) {
        n += 50;
inside:
        n += 1;
    }
    assert(n == 126);
    {
        goto skip;
        n = 0;
skip:;
    }
    assert(n == 126);
    return 0;
}
