//@ run: verify --memory sc
//@ expect: violated witness.kind=deadlock
// Two readers both try to become the writer without letting go.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;

static void *run(void *x)
{
    (void)x;
    pthread_rwlock_rdlock(&l);
    pthread_barrier_wait(&both);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
