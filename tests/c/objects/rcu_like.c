//@ run: verify --memory sc
//@ expect: holds
// Read-copy-update by hand: readers see the old or the new version, never a mixture.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct conf { int a, b; };
static _Atomic(struct conf *) current;

static void *reader(void *x)
{
    (void)x;
    for (int i = 0; i < 2; i++) {
        struct conf *c = atomic_load_explicit(&current, memory_order_acquire);
        assert(c->a + c->b == 10);
    }
    return 0;
}

static void *writer(void *x)
{
    (void)x;
    struct conf *old = atomic_load_explicit(&current, memory_order_relaxed);
    struct conf *new = malloc(sizeof *new);
    new->a = old->a + 1;
    new->b = old->b - 1;
    atomic_store_explicit(&current, new, memory_order_release);
    return old;
}

int main(void)
{
    pthread_t r, w;
    void *old;
    struct conf *first = malloc(sizeof *first);
    *first = (struct conf){ 3, 7 };
    atomic_init(&current, first);
    pthread_create(&r, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r, 0);
    pthread_join(w, &old);
    free(old);                           /* after the last reader */
    assert(atomic_load(&current)->a == 4);
    free(current);
    return 0;
}
