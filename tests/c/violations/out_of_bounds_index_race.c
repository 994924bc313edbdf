//@ run: verify --memory sc
//@ expect: violated witness.kind=out-of-bounds
// Two producers each reserve a slot after checking, but there is only one left.
#include <pthread.h>
#include <stdatomic.h>

static int slots[2];
static atomic_int used = 1;

static void *put(void *a)
{
    if (atomic_load(&used) < 2) {
        int i = atomic_fetch_add(&used, 1);
        slots[i] = (int)(long)a;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, put, (void *)1);
    pthread_create(&b, 0, put, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
