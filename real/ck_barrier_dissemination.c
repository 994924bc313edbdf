//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed -I @concurrencykit/ck/src --time-limit 60s
//@ expect: violated
//@ run: verify -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed -I @concurrencykit/ck/src --races ignore --memory tso --time-limit 60s
//@ expect: holds
//@ run: verify -I @concurrencykit/ck/include --volatile relaxed -I @concurrencykit/ck/src --time-limit 60s
//@ expect: holds
/* Concurrency Kit's barrier of the kind "dissemination", for two threads. */
#include <ck_barrier_dissemination.c>
#include <stdlib.h>
static ck_barrier_dissemination_t barriers[2];
static ck_barrier_dissemination_state_t states[2];
static ck_barrier_dissemination_flag_t *flags[2];
static void set_up(void)
{
    for (int i = 0; i < 2; i++) {
        flags[i] = malloc(sizeof **flags * ck_barrier_dissemination_size(2) * 2);
    }
    ck_barrier_dissemination_init(barriers, flags, 2);
    for (int i = 0; i < 2; i++) ck_barrier_dissemination_subscribe(barriers, &states[i]);
}
#define SET_UP set_up()
#define JOIN(me) ck_barrier_dissemination(barriers, &states[me])
#include "rounds.h"
