//@ run: verify --memory sc
//@ expect: holds
// tryrdlock and trywrlock; several readers hold the lock together.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l;

static void *other(void *x)
{
    (void)x;
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    return 0;
}

static void *shut_out(void *x)
{
    (void)x;
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY && pthread_rwlock_trywrlock(&l) == EBUSY);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_init(&l, 0);
    pthread_rwlock_rdlock(&l);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    pthread_rwlock_unlock(&l);
    assert(pthread_rwlock_trywrlock(&l) == 0);
    pthread_create(&t, 0, shut_out, 0);
    pthread_join(t, 0);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_destroy(&l);
    return 0;
}
