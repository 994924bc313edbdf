//@ run: verify --memory sc
//@ expect: holds
// Designated initialisers: order, gaps, overriding, nesting, ranges, continuing after one.
#include <assert.h>

struct p { int x, y, z; };
struct q { struct p a[3]; int n; union { int i; char c; } u; };
enum { MON, TUE, WED, DAYS };

static const char *day[DAYS] = { [WED] = "wed", [MON] = "mon", [TUE] = "tue" };
static int sparse[] = { 1, [5] = 6, 7, [2] = 3 };
static int range[10] = { [0 ... 3] = 1, [6 ... 8] = 2 };
static struct q g = { .a[1].y = 5, .n = 2, .a[2] = { .z = 9 }, .u.c = 'k' };
static int over[3] = { [0] = 1, [1] = 2, [0] = 7 };
static struct p many[] = { [2] = { 7, 8, 9 }, [0].z = 4 };
static int grid[2][3] = { [1] = { [2] = 5 }, [0][1] = 3 };

int main(void)
{
    assert(day[0][0] == 'm' && day[2][0] == 'w');
    assert(sizeof sparse == 7 * sizeof(int));
    assert(sparse[0] == 1 && sparse[1] == 0 && sparse[2] == 3 && sparse[5] == 6 && sparse[6] == 7);
    assert(range[0] + range[3] == 2 && range[4] == 0 && range[8] == 2 && range[9] == 0);
    assert(g.a[1].y == 5 && g.a[1].x == 0 && g.a[2].z == 9 && g.n == 2 && g.u.c == 'k');
    assert(over[0] == 7 && over[1] == 2 && over[2] == 0);
    assert(many[2].y == 8 && many[0].z == 4 && many[1].x == 0);
    assert(grid[1][2] == 5 && grid[0][1] == 3 && grid[0][0] == 0);
    struct p p = { .z = 3, .x = 1 }, r = { .y = 2, 30 };   /* 30 goes to z */
    assert(p.y == 0 && p.z == 3 && r.z == 30 && r.x == 0);
    int k = 2, loc[4] = { [3] = k, [1] = k * 5 };
    assert(loc[3] == 2 && loc[1] == 10 && loc[0] == 0);
    struct q s = { .a = { [1] = { 1, 2, 3 } }, .u = { .i = 4 } };
    assert(s.a[1].z == 3 && s.u.i == 4 && s.n == 0);
    return 0;
}
