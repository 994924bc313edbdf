//@ run: verify --memory sc
//@ expect: holds
// typeof of expressions and types; min/max macros; declaring pointers and arrays from it.
#include <assert.h>

#define min(a, b) ({ typeof(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define swap(a, b) do { __typeof(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define container_of(p, type, m) ((type *)((char *)(p) - __builtin_offsetof(type, m)))

struct item { int key; struct item *link; };

int main(void)
{
    int x = 3, y = 8, calls = 0;
    typeof(int[3]) a = { 1, 2, 3 };
    typeof(x) *p = &x;
    typeof(&a[0]) q = a;
    typeof(typeof(long)) l = 1L << 40;

    assert(min(x, y) == 3);
    assert(min(calls++, 5) == 0 && calls == 1);     /* evaluated once */
    swap(x, y);
    assert(x == 8 && y == 3 && *p == 8 && q[2] == 3 && l >> 40 == 1);
    struct item it = { 5, 0 };
    struct item **linkp = &it.link;
    assert(container_of(linkp, struct item, link)->key == 5);
    typeof(it.key) k = 'a';
    assert(sizeof k == 4);
    __auto_type z = (unsigned char)250;
    z += 10;
    assert(z == 4);
    return 0;
}
