//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// main reads before it joins.
#include <pthread.h>

static int n, seen;

static void *run(void *a) { (void)a; n = 1; return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    seen = n;
    pthread_join(t, 0);
    return 0;
}
