//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: holds
/* Two threads of ck_spinlock_anderson in Concurrency Kit: nobody is in the section beside another. */
#include <ck_spinlock.h>
static ck_spinlock_anderson_t l;
static ck_spinlock_anderson_thread_t slots[4];
#define SET_UP ck_spinlock_anderson_init(&l, slots, 4)
#define ENTER(me) ck_spinlock_anderson_thread_t *n; ck_spinlock_anderson_lock(&l, &n)
#define LEAVE(me) ck_spinlock_anderson_unlock(&l, n)
#include "section.h"
