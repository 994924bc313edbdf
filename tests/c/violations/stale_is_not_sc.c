//@ run: verify
//@ expect: violated  witness.kind=assertion  witness.steps[14].what="read y → 0 (relaxed)"  witness.steps[14].missed=4
// Two readers see two writes in different orders. One of the reads must be of an old value; that it is
// the relaxed one is the better story, since seq_cst ones need not be old.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b, c, d;
static void *wx(void *arg) { atomic_store(&x, 1); return arg; }
static void *wy(void *arg) { atomic_store_explicit(&y, 1, memory_order_relaxed); return arg; }
static void *xy(void *arg)
{
    a = atomic_load(&x);
    b = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}
static void *yx(void *arg)
{
    c = atomic_load_explicit(&y, memory_order_relaxed);
    d = atomic_load(&x);
    return arg;
}
int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, wx, 0);
    pthread_create(&t[1], 0, wy, 0);
    pthread_create(&t[2], 0, xy, 0);
    pthread_create(&t[3], 0, yx, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    assert(!(a == 1 && b == 0 && c == 1 && d == 0));
    return 0;
}
