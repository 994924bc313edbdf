//@ from: pramalhe/ConcurrencyFreaks ae40ca8412569bd19636baad223413e9c4c4c793
//@ run: check --calls 3 -I @pramalhe/ConcurrencyFreaks/C11/locks --time-limit 60s
//@ expect: holds
/* tidex_nps_mutex of ConcurrencyFreaks, as a lock. */
#include "tidex_nps_mutex.c"
static tidex_nps_mutex_t l;
#pragma lineal object lock
#pragma lineal init tidex_nps_mutex_init(&l)
#pragma lineal op lock = tidex_nps_mutex_lock(&l)
#pragma lineal op trylock = tidex_nps_mutex_trylock(&l), empty if result != 0
#pragma lineal op unlock = tidex_nps_mutex_unlock(&l)
