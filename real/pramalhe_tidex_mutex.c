//@ from: pramalhe/ConcurrencyFreaks ae40ca8412569bd19636baad223413e9c4c4c793
//@ run: check --calls 3 -I @pramalhe/ConcurrencyFreaks/C11/locks --time-limit 60s
//@ expect: holds
/* tidex_mutex of ConcurrencyFreaks, as a lock. */
#include "tidex_mutex.c"
static tidex_mutex_t l;
#pragma lineal object lock
#pragma lineal init tidex_mutex_init(&l)
#pragma lineal op lock = tidex_mutex_lock(&l)
#pragma lineal op trylock = tidex_mutex_trylock(&l), empty if result != 0
#pragma lineal op unlock = tidex_mutex_unlock(&l)
