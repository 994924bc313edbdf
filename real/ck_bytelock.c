//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: unknown
/* A reader and a writer of ck_bytelock in Concurrency Kit: the reader sees both or none. */
#include <ck_bytelock.h>
#include <assert.h>
#include <pthread.h>

static ck_bytelock_t l = CK_BYTELOCK_INITIALIZER;
static int a, b;

static void *reader(void *arg)
{
    (void)arg;
    ck_bytelock_read_lock(&l, 2);
    assert(a == b);
    ck_bytelock_read_unlock(&l, 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    ck_bytelock_write_lock(&l, 1);
    a = 1;
    b = 1;
    ck_bytelock_write_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
