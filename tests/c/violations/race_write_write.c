//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// Two unprotected increments.
#include <pthread.h>

static int n;

static void *run(void *a) { (void)a; n++; return 0; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
