//@ run: verify --memory sc
//@ expect: holds
// Same names in different scopes, a static counter per function, pointers to functions in a union.
#include <assert.h>

static int id(void) { static int n; return ++n; }
static int other(void) { static int n = 100; return n--; }
union call { int (*f)(void); void *p; };

static int repeat(union call c, int times)
{
    int last = 0;
    for (int i = 0; i < times; i++)
        last = c.f();
    return last;
}

int main(void)
{
    assert(repeat((union call){ id }, 3) == 3 && id() == 4);
    assert(repeat((union call){ .f = other }, 2) == 99 && other() == 98);
    int id = 7;                          /* hides the function */
    assert(id == 7);
    {
        extern int shared;
        assert(shared == 9);
    }
    return 0;
}

int shared = 9;
