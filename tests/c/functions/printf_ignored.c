//@ run: verify --memory sc
//@ expect: holds
// Output functions do nothing here, but their arguments are evaluated.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
    printf("n is %d\n", n++);
    printf("%s %c %lu %p\n", "text", 'c', 5ul, (void *)&n);
    fprintf(stderr, "%d\n", n++);
    puts("done");
    putchar('x');
    fflush(stdout);
    assert(n == 2);
    return 0;
}
