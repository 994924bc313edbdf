//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --time-limit 60s
//@ expect: violated
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed --races ignore --time-limit 60s
//@ expect: holds
//@ run: verify -I @concurrencykit/ck/include --volatile relaxed --time-limit 60s
//@ expect: holds
/* Two threads of ck_spinlock_clh in Concurrency Kit: nobody is in the section beside another. */
#include <ck_spinlock.h>
static struct ck_spinlock_clh first, *l = &first;
static struct ck_spinlock_clh nodes[3];
#define SET_UP ck_spinlock_clh_init(&l, &first)
#define ENTER(me) struct ck_spinlock_clh *n = &nodes[me]; ck_spinlock_clh_lock(&l, n)
#define LEAVE(me) ck_spinlock_clh_unlock(&n)
#include "section.h"
