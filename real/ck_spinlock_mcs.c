//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: violated
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --races ignore --time-limit 60s
//@ expect: violated
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --races ignore --memory tso --time-limit 60s
//@ expect: holds
//@ run: verify -I @concurrencykit/ck/include --volatile relaxed --time-limit 60s
//@ expect: holds
/* Two threads of ck_spinlock_mcs in Concurrency Kit: nobody is in the section beside another. */
#include <ck_spinlock.h>
static ck_spinlock_mcs_t l = CK_SPINLOCK_MCS_INITIALIZER;
#define SET_UP (void)0
#define ENTER(me) struct ck_spinlock_mcs n; ck_spinlock_mcs_lock(&l, &n)
#define LEAVE(me) ck_spinlock_mcs_unlock(&l, &n)
#include "section.h"
