//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* Concurrency Kit's sequence counter: readers see both values or neither. */
#include <ck_sequence.h>
#include <ck_pr.h>
#include <assert.h>
#include <pthread.h>

static ck_sequence_t s = CK_SEQUENCE_INITIALIZER;
static int a, b;

static void *reader(void *arg)
{
    unsigned version;
    int x, y;
    (void)arg;
    do {
        version = ck_sequence_read_begin(&s);
        x = ck_pr_load_int(&a);
        y = ck_pr_load_int(&b);
    } while (ck_sequence_read_retry(&s, version));
    assert(x == y);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    ck_sequence_write_begin(&s);
    ck_pr_store_int(&a, 1);
    ck_pr_store_int(&b, 1);
    ck_sequence_write_end(&s);
    pthread_join(t, 0);
    return 0;
}
