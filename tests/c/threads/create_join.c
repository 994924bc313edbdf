//@ run: verify --memory sc
//@ expect: holds
// Arguments go in as pointers, results come back through join.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job { int in, out; };
static void *square(void *arg) { struct job *j = arg; j->out = j->in * j->in; return &j->out; }
static void *number(void *arg) { return (void *)((long)arg + 1); }
static void *heap(void *arg) { int *r = malloc(sizeof *r); *r = *(int *)arg; return r; }

int main(void)
{
    struct job a = { 3, 0 }, b = { 4, 0 };
    pthread_t t, u, v;
    void *r;
    assert(pthread_create(&t, NULL, square, &a) == 0);
    assert(pthread_create(&u, NULL, square, &b) == 0);
    assert(pthread_join(t, &r) == 0 && r == &a.out && a.out == 9);
    assert(pthread_join(u, NULL) == 0 && b.out == 16);
    pthread_create(&v, NULL, number, (void *)41L);
    pthread_join(v, &r);
    assert((long)r == 42);
    pthread_create(&v, NULL, heap, &a.out);
    pthread_join(v, &r);
    assert(*(int *)r == 9);
    free(r);
    return 0;
}
