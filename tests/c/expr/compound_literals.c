//@ run: verify --memory sc
//@ expect: holds
// Compound literals: structs, arrays, scalars; modifiable; by address; at file scope.
#include <assert.h>

struct point { int x, y; };
static int *shared = (int[]){ 4, 5, 6 };
static struct point *origin = &(struct point){ 1, 2 };

static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
static int sum(const int *a, int n) { int s = 0; while (n) s += a[--n]; return s; }

int main(void)
{
    assert(norm((struct point){ 3, 4 }) == 25);
    assert(norm((struct point){ .y = 2 }) == 4);
    assert(sum((int[]){ 1, 2, 3, 4 }, 4) == 10);
    assert(((int[]){ 7, 8, 9 }[1]) == 8);
    struct point *p = &(struct point){ 5, 6 };
    p->x++;
    assert(p->x == 6 && p->y == 6);
    int *q = (int[3]){ 1 };
    assert(q[0] == 1 && q[1] == 0 && q[2] == 0);
    q[2] = 8;
    assert(q[2] == 8);
    assert((int){ 42 } == 42 && (unsigned char){ 255 } + 1 == 256);
    assert(shared[2] == 6 && origin->y == 2);
    shared[0]++;
    assert(*shared == 5);
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int *fresh = (int[]){ 10, i };       /* a new value on each round */
        fresh[0] += fresh[1];
        total += fresh[0];
    }
    assert(total == 33);
    struct point s;
    s = (struct point){ .x = 1 };
    assert(s.y == 0);
    char *t = (char[]){ "abc" };
    t[0] = 'z';
    assert(t[0] == 'z' && t[3] == 0);
    return 0;
}
