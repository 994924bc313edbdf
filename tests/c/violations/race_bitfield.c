//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// Two bit-fields in one unit are one memory location.
#include <pthread.h>

static struct { unsigned a : 4, b : 4; } s;

static void *run(void *x) { (void)x; s.a = 1; return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    s.b = 2;
    pthread_join(t, 0);
    return 0;
}
