//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* Two threads of ck_spinlock_dec in Concurrency Kit: nobody is in the section beside another. */
#include <ck_spinlock.h>
static ck_spinlock_dec_t l = CK_SPINLOCK_DEC_INITIALIZER;
#define SET_UP (void)0
#define ENTER(me) ck_spinlock_dec_lock(&l)
#define LEAVE(me) ck_spinlock_dec_unlock(&l)
#include "section.h"
