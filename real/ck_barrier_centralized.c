//@ from: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8
//@ set up: ./configure --memory-model=rmo
//@ run: check --calls 4 -I @concurrencykit/ck/include -DCK_USE_CC_BUILTINS=1 --volatile relaxed -I @concurrencykit/ck/src --time-limit 60s
//@ expect: holds
/* Concurrency Kit's centralized barrier for two threads. */
#include <ck_barrier_centralized.c>

static ck_barrier_centralized_t barrier = CK_BARRIER_CENTRALIZED_INITIALIZER;
static ck_barrier_centralized_state_t states[2] = {
    CK_BARRIER_CENTRALIZED_STATE_INITIALIZER, CK_BARRIER_CENTRALIZED_STATE_INITIALIZER
};

#pragma lineal object barrier parties=2
#pragma lineal op wait = ck_barrier_centralized(&barrier, &states[thread], 2)
#pragma lineal role members: wait max=2
#pragma lineal threads alike
