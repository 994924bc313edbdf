//@ run: verify --memory sc
//@ expect: holds
// Structs by value of many sizes, as arguments and results, also through pointers to functions.
#include <assert.h>

struct s1 { char c; };
struct s3 { char c[3]; };
struct s8 { int a, b; };
struct s16 { long a, b; };
struct s40 { long v[5]; };
union u { int i; char c[5]; };

static struct s1 f1(struct s1 s) { s.c++; return s; }
static struct s3 f3(struct s3 s) { s.c[2] = s.c[0]; return s; }
static struct s8 f8(struct s8 s, int k) { return (struct s8){ s.b, s.a + k }; }
static struct s16 f16(struct s16 a, struct s16 b) { a.a -= b.b; return a; }
static struct s40 f40(struct s40 s) { for (int i = 0; i < 5; i++) s.v[i] *= i; return s; }
static union u fu(union u x) { x.c[1] = 1; return x; }
static long sum(struct s40 s, struct s1 t) { long r = t.c; for (int i = 0; i < 5; i++) r += s.v[i]; return r; }

int main(void)
{
    struct s1 a = { 1 };
    assert(f1(f1(a)).c == 3 && a.c == 1);
    assert(f3((struct s3){ { 7, 8, 9 } }).c[2] == 7);
    struct s8 e = f8((struct s8){ 1, 2 }, 10);
    assert(e.a == 2 && e.b == 11);
    assert(f16((struct s16){ 5, 6 }, (struct s16){ 7, 8 }).a == -3);
    struct s40 v = { { 1, 2, 3, 4, 5 } };
    assert(f40(v).v[4] == 20 && v.v[4] == 5);
    assert(sum(f40(v), f1(a)) == 0 + 2 + 6 + 12 + 20 + 2);
    union u x = { .i = 0 };
    assert(fu(x).i == 256 && x.i == 0);
    struct s8 (*g)(struct s8, int) = f8;
    e = g(g(e, 1), 1);
    assert(e.a == 3 && e.b == 12);
    return 0;
}
