//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// "Initialise once" with a plain flag.
#include <pthread.h>

static int ready, value;

static void *use(void *x)
{
    (void)x;
    if (!ready) {
        value = 42;
        ready = 1;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
