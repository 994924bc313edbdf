//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* Two threads of ck_spinlock_dec in Concurrency Kit: nobody is in the section beside another. */
#include <ck_spinlock.h>
#include <assert.h>
#include <pthread.h>

static ck_spinlock_dec_t l = CK_SPINLOCK_DEC_INITIALIZER;
static int shared;

static void section(int me)
{
    (void)me;
    
    ck_spinlock_dec_lock(&l);
    shared++;
    ck_spinlock_dec_unlock(&l);
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
