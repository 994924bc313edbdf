//@ run: verify --memory sc
//@ expect: holds
// typedef names: of pointers, arrays, functions, structs; hidden by locals; same name as a tag.
#include <assert.h>

typedef int number, *number_ptr, triple[3];
typedef int binary(int, int);
typedef binary *binary_ptr;
typedef struct node node;
struct node { int value; node *next; };
typedef struct { triple t; } holder;
typedef unsigned long word;
typedef word grid[2][3];

static int add(int a, int b) { return a + b; }
static binary mul;
static int mul(int a, int b) { return a * b; }

static int first(triple t) { return t[0]; }

int main(void)
{
    number n = 4;
    number_ptr p = &n;
    triple t = { 1, 2, 3 };
    holder h = { { 7, 8, 9 } };
    node b = { 2, 0 }, a = { 1, &b };
    binary_ptr f = add;
    grid g = { { 1, 2, 3 }, { 4, 5, 6 } };

    *p += t[2];
    assert(n == 7 && sizeof(triple) == 12 && h.t[1] == 8);
    assert(a.next->value == 2);
    assert(f(2, 3) == 5 && (f = mul)(2, 3) == 6);
    assert(first(t) == 1 && first(h.t) == 7);
    assert(g[1][0] == 4 && sizeof g == 48);
    {
        int number = 3;                 /* an ordinary name hides the typedef */
        assert(number * n == 21);
        struct node { char c; } local = { 'x' };
        assert(sizeof local == 1);
    }
    const number k = 5;
    unsigned long int long_way = 1;
    long unsigned shuffled = 2;
    assert(k == 5 && long_way + shuffled == 3);
    return 0;
}
