//@ run: verify --memory sc
//@ expect: holds
// Storage durations: globals start at zero, statics keep their value, blocks hide.
#include <assert.h>

int global;
static int file_static = 3;
extern int later;
static int counter(void) { static int n; return ++n; }
static int other(void) { static int n = 10; n += 5; { static int n = 1; n *= 2; global = n; } return n; }
static int *escape(void) { static int keep[2] = { 4, 5 }; return keep; }
int tentative;
int tentative;
int tentative = 6;
static int *ptr = &file_static, **pptr = &ptr;
static int offset_from = sizeof(int) * 3 - 2, *mid;
static int arr[3] = { 1, 2, 3 }, *into = arr + 2;

int main(void)
{
    assert(global == 0 && file_static == 3 && later == 12 && tentative == 6);
    assert(counter() == 1 && counter() == 2 && counter() == 3);
    assert(other() == 15 && global == 2 && other() == 20 && global == 4);
    escape()[1]++;
    assert(escape()[1] == 6);
    **pptr = 8;
    assert(file_static == 8 && offset_from == 10 && mid == 0 && *into == 3 && into[-1] == 2);
    int x = 1;
    {
        int x = 2;
        {
            int x = 3;
            assert(x == 3);
        }
        assert(x == 2);
        extern int later;
        assert(later == 12);
    }
    assert(x == 1);
    for (int x = 0; x < 1; x++)
        assert(x == 0);
    auto int y = 5;
    assert(y == 5);
    return 0;
}

int later = 12;
