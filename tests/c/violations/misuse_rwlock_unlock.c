//@ run: verify --memory sc
//@ expect: violated witness.kind=lock-misuse
// Unlocking a read-write lock that is free.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}
