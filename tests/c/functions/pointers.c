//@ run: verify --memory sc
//@ expect: holds
// Function pointers: tables, parameters, results, members, comparison, all call spellings.
#include <assert.h>
#include <stddef.h>

typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static const op table[] = { add, sub, &mul };
struct class { const char *name; op run; struct { op alt; } more; };

static int apply(int f(int, int), int x) { return f(x, 2); }
static op choose(char c) { return c == '+' ? add : c == '-' ? sub : NULL; }
static int (*pick(int i))(int, int) { return table[i]; }

static int fold(const int *a, int n, int start, op f)
{
    while (n--)
        start = f(start, *a++);
    return start;
}

int main(void)
{
    op f = add;
    assert(f(1, 2) == 3 && (*f)(1, 2) == 3 && (**f)(1, 2) == 3 && (&add)(4, 4) == 8);
    assert(table[2](3, 4) == 12 && table[1](3, 4) == -1);
    assert(apply(mul, 6) == 12 && apply(&sub, 6) == 4);
    assert(choose('+') == add && choose('-') != add && choose('*') == NULL);
    assert(pick(2)(5, 5) == 25);
    struct class c = { "calc", sub, { mul } }, *p = &c;
    assert(p->run(9, 4) == 5 && p->more.alt(2, 3) == 6);
    p->run = choose('+');
    assert(c.run(9, 4) == 13);
    int a[] = { 1, 2, 3, 4 };
    assert(fold(a, 4, 0, add) == 10 && fold(a, 4, 1, mul) == 24);
    op *q = &f;
    *q = mul;
    assert(f == mul && (*q)(2, 2) == 4);
    assert(!!f && f != NULL);
    return 0;
}
