//@ run: verify --memory sc
//@ expect: violated witness.kind=race
// Writing while holding the lock for reading only.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *run(void *x)
{
    (void)x;
    pthread_rwlock_rdlock(&l);
    hits++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
