//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* A reader and a writer of ck_rwlock in Concurrency Kit: the reader sees both or none. */
#include <ck_rwlock.h>
#include <assert.h>
#include <pthread.h>

static ck_rwlock_t l = CK_RWLOCK_INITIALIZER;
static int a, b;

static void *reader(void *arg)
{
    (void)arg;
    ck_rwlock_read_lock(&l);
    assert(a == b);
    ck_rwlock_read_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    ck_rwlock_write_lock(&l);
    a = 1;
    b = 1;
    ck_rwlock_write_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
