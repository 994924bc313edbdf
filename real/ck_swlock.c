//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* A reader and a writer of ck_swlock in Concurrency Kit: the reader sees both or none. */
#include <ck_swlock.h>
#include <assert.h>
#include <pthread.h>

static ck_swlock_t l = CK_SWLOCK_INITIALIZER;
static int a, b;

static void *reader(void *arg)
{
    (void)arg;
    ck_swlock_read_lock(&l);
    assert(a == b);
    ck_swlock_read_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    ck_swlock_write_lock(&l);
    a = 1;
    b = 1;
    ck_swlock_write_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
