//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* Two threads of ck_rwlock_writers in Concurrency Kit: nobody is in the section beside another. */
#include <ck_rwlock.h>
#include <assert.h>
#include <pthread.h>

static ck_rwlock_t l = CK_RWLOCK_INITIALIZER;
static int shared;

static void section(int me)
{
    (void)me;
    
    ck_rwlock_write_lock(&l);
    shared++;
    ck_rwlock_write_unlock(&l);
}

static void *thread(void *arg)
{
    (void)arg;
    section(1);
    return 0;
}

int main(void)
{
    pthread_t t;
    
    pthread_create(&t, 0, thread, 0);
    section(0);
    pthread_join(t, 0);
    assert(shared == 2);
    return 0;
}
