//@ from: pramalhe/ConcurrencyFreaks ae40ca8412569bd19636baad223413e9c4c4c793
//@ run: check --calls 4 -I @pramalhe/ConcurrencyFreaks/C11/locks --time-limit 60s
//@ expect: holds
/* mpsc_mutex of ConcurrencyFreaks, as a lock. */
#include "mpsc_mutex.c"
static mpsc_mutex_t l;
#pragma lineal object lock
#pragma lineal init mpsc_mutex_init(&l)
#pragma lineal op lock = mpsc_mutex_lock(&l)
#pragma lineal op unlock = mpsc_mutex_unlock(&l)
