//@ from: pramalhe/ConcurrencyFreaks ae40ca8412569bd19636baad223413e9c4c4c793
//@ run: check --calls 4 -I @pramalhe/ConcurrencyFreaks/C11/locks --time-limit 60s
//@ expect: violated
//@ run: check --calls 4 -I @pramalhe/ConcurrencyFreaks/C11/locks --races ignore --memory tso --time-limit 60s
//@ expect: holds
/* clh_mutex of ConcurrencyFreaks, as a lock. */
#include "clh_mutex.c"
static clh_mutex_t l;
#pragma lineal object lock
#pragma lineal init clh_mutex_init(&l)
#pragma lineal op lock = clh_mutex_lock(&l)
#pragma lineal op unlock = clh_mutex_unlock(&l)
