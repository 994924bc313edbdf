//@ run: verify --memory sc
//@ expect: holds
// Double-checked initialisation: one thread builds, all see the built object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct conf { int a, b; };
static _Atomic(struct conf *) conf;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int built;

static struct conf *get(void)
{
    struct conf *c = atomic_load_explicit(&conf, memory_order_acquire);
    if (!c) {
        pthread_mutex_lock(&m);
        c = atomic_load_explicit(&conf, memory_order_relaxed);
        if (!c) {
            c = malloc(sizeof *c);
            c->a = 1;
            c->b = 2;
            built++;
            atomic_store_explicit(&conf, c, memory_order_release);
        }
        pthread_mutex_unlock(&m);
    }
    return c;
}

static void *run(void *x)
{
    (void)x;
    struct conf *c = get();
    assert(c->a + c->b == 3);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(built == 1);
    free(conf);
    return 0;
}
