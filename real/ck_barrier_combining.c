//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed -I @concurrencykit/ck/src --time-limit 60s
//@ expect: holds
/* Concurrency Kit's barrier of the kind "combining", for two threads. */
#include <ck_barrier_combining.c>
static ck_barrier_combining_t barrier;
static ck_barrier_combining_group_t root, group;
static ck_barrier_combining_state_t states[2] = {
    CK_BARRIER_COMBINING_STATE_INITIALIZER, CK_BARRIER_COMBINING_STATE_INITIALIZER
};
#define SET_UP ck_barrier_combining_init(&barrier, &root); ck_barrier_combining_group_init(&barrier, &group, 2)
#define JOIN(me) ck_barrier_combining(&barrier, &group, &states[me])
#include "rounds.h"
