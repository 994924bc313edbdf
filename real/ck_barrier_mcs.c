//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed -I @concurrencykit/ck/src --time-limit 60s
//@ expect: violated
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed -I @concurrencykit/ck/src --races ignore --memory tso --time-limit 60s
//@ expect: holds
//@ run: verify -I @concurrencykit/ck/include --volatile relaxed -I @concurrencykit/ck/src --time-limit 60s
//@ expect: holds
/* Concurrency Kit's barrier of the kind "mcs", for two threads. */
#include <ck_barrier_mcs.c>
static ck_barrier_mcs_t barriers[2];
static ck_barrier_mcs_state_t states[2];
static void set_up(void)
{
    ck_barrier_mcs_init(barriers, 2);
    for (int i = 0; i < 2; i++) ck_barrier_mcs_subscribe(barriers, &states[i]);
}
#define SET_UP set_up()
#define JOIN(me) ck_barrier_mcs(barriers, &states[me])
#include "rounds.h"
