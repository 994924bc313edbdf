//@ run: verify --memory sc
//@ expect: holds
// malloc, calloc, realloc, aligned_alloc, free.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct vec { int n, cap; int *at; };

static void push(struct vec *v, int x)
{
    if (v->n == v->cap) {
        v->cap = v->cap ? 2 * v->cap : 2;
        v->at = realloc(v->at, v->cap * sizeof *v->at);
        assert(v->at);
    }
    v->at[v->n++] = x;
}

int main(void)
{
    int *p = malloc(3 * sizeof *p);
    p[0] = 1; p[1] = 2; p[2] = 3;
    p = realloc(p, 5 * sizeof *p);
    p[4] = 5;
    assert(p[0] == 1 && p[2] == 3 && p[4] == 5);
    p = realloc(p, sizeof *p);
    assert(p[0] == 1);
    free(p);
    int *z = calloc(4, sizeof *z);
    assert(z[0] == 0 && z[3] == 0);
    free(z);
    free(NULL);
    void *a = aligned_alloc(64, 128);
    assert((uintptr_t)a % 64 == 0);
    free(a);
    struct vec v = { 0 };
    for (int i = 0; i < 9; i++)
        push(&v, i * i);
    assert(v.n == 9 && v.cap == 16 && v.at[8] == 64 && v.at[1] == 1);
    free(v.at);
    char *one = malloc(1), *two = malloc(1);
    assert(one != two);
    free(one);
    free(two);
    return 0;
}
