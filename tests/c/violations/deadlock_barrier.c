//@ run: verify --memory sc
//@ expect: violated witness.kind=deadlock
// A barrier for three, reached by two.
#include <pthread.h>

static pthread_barrier_t bar;

static void *run(void *x) { (void)x; pthread_barrier_wait(&bar); return 0; }

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&bar, 0, 3);
    pthread_create(&t, 0, run, 0);
    pthread_barrier_wait(&bar);
    pthread_join(t, 0);
    return 0;
}
